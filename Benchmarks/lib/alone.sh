# For Benchmarks/run and Benchmarks/compare: no other benchmark or build runs during a measurement. Sourced.
#
# One lock for the whole machine, whatever clone a command is run in: two clones disturb each other as much
# as two commands of one. It is a file with the number of the process that has it.
alone_lock="${COPAL_BENCH_LOCK:-/tmp/copal-benchmarks-$(id -u).lock}"

# Prints the process that has the lock; nothing when the lock is free, also when that process has
# ended.
alone_holder() {
  local holder
  holder="$(cat "$alone_lock" 2>/dev/null)" || return 0
  # The file may exist for a moment before the number is written.
  [ -n "$holder" ] || { sleep 1; holder="$(cat "$alone_lock" 2>/dev/null)" || return 0; }
  if [ -n "$holder" ] && ps -p "$holder" -o args= 2>/dev/null | grep -Eq '(^|[ /])(build|run|compare|profile)( |$)'
  then
    echo "$holder"
  else
    # Renamed first, so that only one of two processes removes it.
    mv "$alone_lock" "$alone_lock.$$" 2>/dev/null && rm -f "$alone_lock.$$"
  fi
}

# Builds and tests of Swift, of this project or another: they take a part of every core.
alone_compilers() {
  ps -A -o pid= -o stat= -o comm= | awk '
    { name = $3; sub(".*/", "", name) }
    $2 !~ /^Z/ && name ~ /^(swift-build|swift-test|swift-package|swift-driver|swift-frontend|swiftc|swiftpm-testing.*)$/ {
      print name " (" $1 ")"; exit
    }'
}

# $1: the command's name; $2: "no-wait" ends with 75 instead of waiting.
alone_begin() {
  local said='' why=''
  while true; do
    why=''
    local compiler
    compiler="$(alone_compilers)"
    if [ -n "$compiler" ]; then
      why="$compiler is running"
    elif ! (set -o noclobber && echo $$ >"$alone_lock") 2>/dev/null; then
      local holder
      holder="$(alone_holder)"
      [ -n "$holder" ] || continue
      why="process $holder is measuring"
    fi
    [ -n "$why" ] || break
    if [ "${2:-}" = no-wait ]; then
      echo "$1: $why" >&2
      exit 75
    fi
    [ "$why" = "$said" ] || echo "$1: waiting, $why" >&2
    said="$why"
    sleep 2
  done
  trap 'rm -f "$alone_lock"' EXIT
  # Also releases the lock when the command is ended by a signal.
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}
