/* A disk that fails: preloaded into the log's server by test_disk.py.

   While the file "full" is in the folder FAULTS, half of each write to a file is stored and the next
   finds no space. While "sync" is there, no sync succeeds. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int faulty(const char *name) {
    char path[4096];
    const char *folder = getenv("FAULTS");
    if (folder == NULL) return 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

ssize_t write(int fd, const void *data, size_t size) {
    struct stat found;
    if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && faulty("full")) {
        if (size > 1) return syscall(SYS_write, fd, data, size / 2);
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, data, size);
}

static int sync_file(long call, int fd) {
    if (faulty("sync")) {
        errno = EIO;
        return -1;
    }
    return syscall(call, fd);
}

int fsync(int fd) { return sync_file(SYS_fsync, fd); }

int fdatasync(int fd) { return sync_file(SYS_fdatasync, fd); }
