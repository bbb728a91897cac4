#include "base/output.h"
#include "base/mem.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const char *path) { return !path || strcmp(path, "-") == 0; }

static status cannot(const output *o, int error, diag *d)
{
  return diag_set(d, IO_ERROR, "file", "cannot write %s: %s", o->shown, error ? strerror(error) : "write error");
}

/* The file that a link points to, where there is one already. */
static char *resolved(const char *path)
{
  char *real = realpath(path, NULL), *copy = mem_text(real ? real : path);
  free(real); /* realpath's own */
  return copy;
}

/* .NAME.123.new, in the same folder: a rename must not cross file systems. */
static char *name_beside(const char *path)
{
  text t = { 0 };
  const char *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
  text_add_n(&t, path, folder);
  text_printf(&t, ".%.200s.%ld.new", path + folder, (long)getpid());
  return t.s;
}

static bool in_place(const char *path, struct stat *of) { return stat(path, of) == 0 && !S_ISREG(of->st_mode); }

/* A descriptor of a new file with the permissions of the old one. */
static int create_beside(const char *path, const char *beside)
{
  struct stat old;
  bool replaces = stat(path, &old) == 0;
  if (replaces && access(path, W_OK) != 0)
    return -1;
  unlink(beside); /* of a dead process with our number; O_EXCL: never through a link of somebody else's */
  int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0 && replaces && fchmod(fd, old.st_mode & 07777) != 0)
    return close(fd), unlink(beside), -1;
  return fd;
}

static bool folder_refuses(int error)
{
  return error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG;
}

static int open_file(output *o)
{
  struct stat of;
  errno = 0;
  if (in_place(o->path, &of))
    return open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  o->beside = name_beside(o->path);
  int fd = create_beside(o->path, o->beside);
  if (fd >= 0 || !folder_refuses(errno) || access(o->path, W_OK) != 0)
    return fd;
  mem_free(o->beside);
  o->beside = NULL;
  return open(o->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

static void forget(output *o)
{
  mem_free(o->path);
  mem_free(o->beside);
  *o = (output){ 0 };
}

status output_open(output *o, const char *path, diag *d)
{
  *o = (output){ .to = stdout, .shown = path };
  if (is_standard(path))
    return OK;
  o->path = resolved(path);
  int fd = open_file(o);
  o->to = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (o->to)
    return OK;
  status st = cannot(o, errno, d);
  forget(o);
  return st;
}

status output_commit(output *o, diag *d)
{
  errno = 0;
  if (!o->path)
    return OK;
  if (fflush(o->to) != 0 || ferror(o->to))
    return cannot(o, errno, d);
  if (!o->beside)
    return OK;
  if (rename(o->beside, o->path) != 0)
    return cannot(o, errno, d);
  mem_free(o->beside);
  o->beside = NULL;
  return OK;
}

void output_drop(output *o)
{
  if (o->path && o->to)
    fclose(o->to);
  if (o->beside)
    unlink(o->beside);
  forget(o);
}

status output_close(output *o, diag *d)
{
  if (!o->path)
    return OK;
  errno = 0;
  bool bad = ferror(o->to) || fflush(o->to) != 0;
  int error = errno;
  bad |= fclose(o->to) != 0;
  error = error ? error : errno;
  bad = bad || (o->beside && rename(o->beside, o->path) != 0);
  status st = bad ? cannot(o, error ? error : errno, d) : OK;
  if (bad && o->beside)
    unlink(o->beside);
  forget(o);
  return st;
}

/* What is there already is only asked, so that a pipe does not wait for its reader. */
status output_try(const char *path, diag *d)
{
  output o = { .shown = path };
  struct stat of;
  if (is_standard(path))
    return OK;
  if (in_place(path, &of)) {
    errno = S_ISDIR(of.st_mode) ? EISDIR : 0;
    return !S_ISDIR(of.st_mode) && access(path, W_OK) == 0 ? OK : cannot(&o, errno, d);
  }
  o.path = resolved(path);
  o.beside = name_beside(o.path);
  errno = 0;
  int fd = create_beside(o.path, o.beside), error = errno;
  bool good = fd >= 0 || (folder_refuses(error) && access(o.path, W_OK) == 0);
  status st = good ? OK : cannot(&o, error, d);
  if (fd >= 0) {
    close(fd);
    unlink(o.beside);
  }
  forget(&o);
  return st;
}
