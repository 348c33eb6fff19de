/* Preloaded library that delays every call which opens, looks up or changes something below SLOW_HOME by SLOW_MS milliseconds. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A path relative to an open folder is slow if the folder is below the home. */
static int is_slow(const char *path) {
  const char *home = getenv("SLOW_HOME");
  char handle[64];
  char place[4096];
  int fd;
  if (!home || !path) return 0;
  if (sscanf(path, "/proc/self/fd/%d/", &fd) == 1) {
    snprintf(handle, sizeof handle, "/proc/self/fd/%d", fd);
    long length = syscall(SYS_readlinkat, -100, handle, place, sizeof place - 1);
    if (length < 0) return 0;
    place[length] = 0;
    path = place;
  }
  return strncmp(path, home, strlen(home)) == 0;
}

static void wait_for(const char *path) {
  const char *milliseconds = getenv("SLOW_MS");
  if (milliseconds && is_slow(path)) usleep(1000 * atoi(milliseconds));
}

#define NEXT(name) (next ? next : (next = dlsym(RTLD_NEXT, name)))

#define SLOW_OPEN(name)                                       \
  int name(const char *path, int flags, ...) {                \
    static int (*next)(const char *, int, ...);               \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    int mode = va_arg(rest, int);                             \
    va_end(rest);                                             \
    wait_for(path);                                           \
    return NEXT(#name)(path, flags, mode);                    \
  }
SLOW_OPEN(open)
SLOW_OPEN(open64)

#define SLOW_PAIR(name)                                       \
  int name(const char *from, const char *to) {                \
    static int (*next)(const char *, const char *);           \
    wait_for(to);                                             \
    return NEXT(#name)(from, to);                             \
  }
SLOW_PAIR(rename)
SLOW_PAIR(link)

int unlink(const char *path) {
  static int (*next)(const char *);
  wait_for(path);
  return NEXT("unlink")(path);
}

int mkdir(const char *path, mode_t mode) {
  static int (*next)(const char *, mode_t);
  wait_for(path);
  return NEXT("mkdir")(path, mode);
}

char *realpath(const char *path, char *resolved) {
  static char *(*next)(const char *, char *);
  wait_for(path);
  return NEXT("realpath")(path, resolved);
}

DIR *opendir(const char *path) {
  static DIR *(*next)(const char *);
  wait_for(path);
  return NEXT("opendir")(path);
}
