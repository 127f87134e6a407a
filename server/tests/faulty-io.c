/* Makes the calls by which SQLite writes to its files fail, wait or take long: a library for LD_PRELOAD.
 *
 * FAULTY_IO names a file that says what happens at the moment; nothing does while it is not there:
 *   fsync EIO       fsync fails (fdatasync, too)
 *   fsync 1500      fsync takes 1500 ms longer
 *   fsync hold      fsync waits until the file says something else; FAULTY_IO.held is there from then on
 *   pwrite ENOSPC   pwrite fails
 *   pwrite garble   pwrite keeps nothing of what a backup is given and says that it did
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int has_in_name(int fd, const char *part)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strstr(path, part) != NULL;
}

static int is_database(int fd)
{
    return has_in_name(fd, ".sqlite");
}

/* What happens to this call at the moment; empty for nothing. */
static void read_fault(const char *call, char *fault, size_t size)
{
    const char *control = getenv("FAULTY_IO");
    char line[64];
    fault[0] = 0;
    int file = control ? open(control, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    line[length > 0 ? length : 0] = 0;
    line[strcspn(line, "\n")] = 0;
    size_t name = strlen(call);
    if (strncmp(line, call, name) == 0 && line[name] == ' ')
        snprintf(fault, size, "%s", line + name + 1);
}

/* The error that the call is to fail with; 0 when it may go on. */
static int fault_of(const char *call, int fd)
{
    char fault[64];
    if (!is_database(fd))
        return 0;
    read_fault(call, fault, sizeof fault);
    if (strcmp(fault, "EIO") == 0)
        return EIO;
    if (strcmp(fault, "ENOSPC") == 0)
        return ENOSPC;
    if (strcmp(fault, "EROFS") == 0)
        return EROFS;
    if (strcmp(fault, "garble") == 0)
        return 0;
    if (strcmp(fault, "hold") == 0) {
        char held[4096];
        snprintf(held, sizeof held, "%s.held", getenv("FAULTY_IO"));
        close(open(held, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        while (strcmp(fault, "hold") == 0) {
            usleep(5000);
            read_fault(call, fault, sizeof fault);
        }
        return 0;
    }
    if (fault[0])
        usleep((useconds_t)atoi(fault) * 1000);
    return 0;
}

int fsync(int fd)
{
    errno = fault_of("fsync", fd);
    return errno ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    errno = fault_of("fsync", fd);
    return errno ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* Zeros in the place of a page; the first one, with the file's header, is kept. */
static int is_garbled(int fd, off64_t offset)
{
    char fault[64];
    read_fault("pwrite", fault, sizeof fault);
    return strcmp(fault, "garble") == 0 && offset > 0 && has_in_name(fd, ".unfinished");
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset)
{
    static const char zeros[65536];
    if (count <= sizeof zeros && is_garbled(fd, offset))
        return syscall(SYS_pwrite64, fd, zeros, count, offset);
    errno = fault_of("pwrite", fd);
    return errno ? -1 : syscall(SYS_pwrite64, fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
    return pwrite64(fd, bytes, count, offset);
}
