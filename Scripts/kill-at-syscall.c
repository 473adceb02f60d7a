// Kills a process at one of its system calls: kill-at-syscall PID NUMBER READY
//
// It traces all threads of the process, writes the file READY, and counts from then on. The process is killed where the system call of
// the number begins or ends, whichever comes at that count. Ends with 0 after the kill, with 1 when the process has ended before, and with 2
// when it cannot be traced. Linux only: <https://man7.org/linux/man-pages/man2/ptrace.2.html>.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static const long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD;

// Traces each thread that the process has now. New ones follow by themselves.
static int trace_threads(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *folder = opendir(path);
  if (!folder) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    pid_t thread = atoi(entry->d_name);
    if (thread <= 0) continue;
    if (ptrace(PTRACE_SEIZE, thread, 0, options) != 0) continue;
    ptrace(PTRACE_INTERRUPT, thread, 0, 0);
    count++;
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  pid_t process = atoi(argv[1]);
  long rest = atol(argv[2]);
  if (trace_threads(process) == 0) return 2;
  int ready = open(argv[3], O_WRONLY | O_CREAT, 0600);
  if (ready < 0) return 2;
  close(ready);
  for (;;) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) return errno == ECHILD ? 1 : 2;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread == process) return 1;
      continue;
    }
    int signal = WSTOPSIG(status);
    // The stop of a system call has the highest bit; other stops are of the tracing, or of a signal that the thread gets.
    if (signal == (SIGTRAP | 0x80)) {
      if (--rest <= 0) {
        kill(process, SIGKILL);
        return 0;
      }
      signal = 0;
    } else if (status >> 16 || signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0;
    }
    ptrace(PTRACE_SYSCALL, thread, 0, signal);
  }
}
