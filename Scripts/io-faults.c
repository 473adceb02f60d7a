// Records what a process does with the files of a folder, lets one of its system calls fail, or changes its clock. A library for LD_PRELOAD, which does nothing
// until a test calls one of the functions at the end. Linux only.
//
// The record is a file of entries: a letter, the fields as text with a space after each, a line feed, and the bytes of a write.
//   W PATH OFFSET COUNT \n BYTES   a write                    S PATH \n     a sync of a file, or of a folder
//   T PATH SIZE \n                 a file that is cut or longer  C PATH \n     a new file
//   R PATH PATH \n                 a rename                     U PATH \n     a removed name
//   F PATH \n                      a new folder                 X PATH \n     a removed folder
//   M TEXT \n                      a mark of the test
// A path is relative to the folder and has no spaces.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The folder with a slash at its end; empty while nothing is asked for.
static char folder[PATH_MAX];
static size_t folder_length;
// The absolute path of each open file, also of those that were opened before the folder was named; null for others.
static char *paths[FILES];
static int record = -1;
// The number of the call that fails, those so far, its error, and whether all later ones fail, too.
static long failing, calls;
static int failure, fails_for_ever;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

static int is_on(void) { return folder_length != 0; }

// The path of a file relative to the folder; null for one elsewhere.
static const char *relative(const char *path) {
  if (!is_on() || !path) return NULL;
  if (strncmp(path, folder, folder_length) == 0) return path + folder_length;
  // The folder itself.
  if (strlen(path) == folder_length - 1 && strncmp(path, folder, folder_length - 1) == 0) return ".";
  return NULL;
}

static const char *path_of(int file) {
  return is_on() && file >= 0 && file < FILES ? relative(paths[file]) : NULL;
}

// Whether this call is the one that fails.
static int fails(const char *path) {
  if (!path || !failing) return 0;
  pthread_mutex_lock(&lock);
  long number = ++calls;
  pthread_mutex_unlock(&lock);
  if (number == failing || (fails_for_ever && number > failing)) {
    errno = failure;
    return 1;
  }
  return 0;
}

static void put(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = REAL(write)(record, bytes, count);
    if (written <= 0) abort();
    bytes += written;
    count -= written;
  }
}

static void note(const void *bytes, size_t count, const char *format, ...) {
  if (record < 0) return;
  int saved = errno;
  char head[3 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(head, sizeof head, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&lock);
  put(head, length);
  if (count > 0) put(bytes, count);
  pthread_mutex_unlock(&lock);
  errno = saved;
}

static void opened(int file, const char *path) {
  if (file < 0 || file >= FILES) return;
  pthread_mutex_lock(&lock);
  free(paths[file]);
  paths[file] = path ? strdup(path) : NULL;
  pthread_mutex_unlock(&lock);
}

// MARK: Names

static int open_any(const char *name, int at, const char *path, int flags, mode_t mode) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  struct stat status;
  int is_new = mine && (flags & O_CREAT) && lstat(path, &status) != 0;
  int file;
  if (at == AT_FDCWD && strncmp(name, "openat", 6) != 0) {
    int (*call)(const char *, int, ...) = (int (*)(const char *, int, ...))real(name);
    file = call(path, flags, mode);
  } else {
    int (*call)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))real(name);
    file = call(at, path, flags, mode);
  }
  if (file >= 0) opened(file, path[0] == '/' ? path : NULL);
  if (file >= 0 && mine) {
    if (is_new) note(NULL, 0, "C %s \n", mine);
    if (flags & O_TRUNC && !is_new) note(NULL, 0, "T %s 0 \n", mine);
  }
  return file;
}

#define MODE(flags)                             \
  mode_t mode = 0;                              \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {      \
    va_list arguments;                          \
    va_start(arguments, flags);                 \
    mode = va_arg(arguments, mode_t);           \
    va_end(arguments);                          \
  }

int open(const char *path, int flags, ...) { MODE(flags) return open_any("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any("open64", AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_any("openat", at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_any("openat64", at, path, flags, mode); }

int close(int file) {
  if (file >= 0 && file < FILES && paths[file]) opened(file, NULL);
  return REAL(close)(file);
}

int unlink(const char *path) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  int result = REAL(unlink)(path);
  if (result == 0 && mine) note(NULL, 0, "U %s \n", mine);
  return result;
}

int unlinkat(int at, const char *path, int flags) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  int result = REAL(unlinkat)(at, path, flags);
  if (result == 0 && mine) note(NULL, 0, flags & AT_REMOVEDIR ? "X %s \n" : "U %s \n", mine);
  return result;
}

int remove(const char *path) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  struct stat status;
  int is_folder = mine && lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  int result = REAL(remove)(path);
  if (result == 0 && mine) note(NULL, 0, is_folder ? "X %s \n" : "U %s \n", mine);
  return result;
}

int rename(const char *from, const char *to) {
  const char *old = relative(from), *new = relative(to);
  if (fails(old)) return -1;
  int result = REAL(rename)(from, to);
  if (result == 0 && old && new) note(NULL, 0, "R %s %s \n", old, new);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  int result = REAL(mkdir)(path, mode);
  if (result == 0 && mine) note(NULL, 0, "F %s \n", mine);
  return result;
}

int rmdir(const char *path) {
  const char *mine = relative(path);
  if (fails(mine)) return -1;
  int result = REAL(rmdir)(path);
  if (result == 0 && mine) note(NULL, 0, "X %s \n", mine);
  return result;
}

// MARK: Contents

static ssize_t written(int file, const void *bytes, ssize_t count, off_t offset) {
  const char *mine = path_of(file);
  if (mine && count > 0) note(bytes, count, "W %s %lld %zd \n", mine, (long long)offset, count);
  return count;
}

ssize_t write(int file, const void *bytes, size_t count) {
  const char *mine = path_of(file);
  if (fails(mine)) return -1;
  off_t offset = mine ? lseek(file, 0, SEEK_CUR) : 0;
  return written(file, bytes, REAL(write)(file, bytes, count), offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  if (fails(path_of(file))) return -1;
  return written(file, bytes, REAL(pwrite)(file, bytes, count, offset), offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (fails(path_of(file))) return -1;
  return written(file, bytes, REAL(pwrite64)(file, bytes, count, offset), offset);
}

ssize_t read(int file, void *bytes, size_t count) {
  if (fails(path_of(file))) return -1;
  return REAL(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  if (fails(path_of(file))) return -1;
  return REAL(pread)(file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  if (fails(path_of(file))) return -1;
  return REAL(pread64)(file, bytes, count, offset);
}

int ftruncate(int file, off_t size) {
  const char *mine = path_of(file);
  if (fails(mine)) return -1;
  int result = REAL(ftruncate)(file, size);
  if (result == 0 && mine) note(NULL, 0, "T %s %lld \n", mine, (long long)size);
  return result;
}

int ftruncate64(int file, off64_t size) {
  const char *mine = path_of(file);
  if (fails(mine)) return -1;
  int result = REAL(ftruncate64)(file, size);
  if (result == 0 && mine) note(NULL, 0, "T %s %lld \n", mine, (long long)size);
  return result;
}

int fsync(int file) {
  const char *mine = path_of(file);
  if (fails(mine)) return -1;
  int result = REAL(fsync)(file);
  if (result == 0 && mine) note(NULL, 0, "S %s \n", mine);
  return result;
}

int fdatasync(int file) {
  const char *mine = path_of(file);
  if (fails(mine)) return -1;
  int result = REAL(fdatasync)(file);
  if (result == 0 && mine) note(NULL, 0, "S %s \n", mine);
  return result;
}

// MARK: The clock

static long seconds_ahead;

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*call)(clockid_t, struct timespec *);
  // Asked for very often.
  if (!call) call = REAL(clock_gettime);
  int result = call(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += seconds_ahead;
  return result;
}

// Sets the clock forward, or back, for this process alone.
void copal_io_clock(long seconds) { seconds_ahead = seconds; }

// MARK: For tests

static void watch(const char *path) {
  snprintf(folder, sizeof folder, "%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/");
  folder_length = strlen(folder);
}

// Records from now on what happens in a folder. The record itself is elsewhere.
void copal_io_record(const char *path, const char *log) {
  record = REAL(open)(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (record < 0) abort();
  watch(path);
}

// Adds a mark of the test to the record.
void copal_io_mark(const char *text) { note(NULL, 0, "M %s \n", text); }

// Counts from now on the calls that concern a folder. The one of the number fails with an error, and all later ones if `for_ever`.
void copal_io_fail(const char *path, long number, int error, int for_ever) {
  failure = error;
  fails_for_ever = for_ever;
  calls = 0;
  failing = number;
  watch(path);
}

// Lets no call fail any more.
//
// Returns: the number of calls that were counted.
long copal_io_end(void) {
  failing = 0;
  folder_length = 0;
  return calls;
}
