#include "base/crew.h"
#include "base/mem.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

typedef enum { IDLE, CALLED, AT_WORK, DISMISSED } state;

struct crew {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t called, ended;
  state state;                  /* of the second thread, under the lock */
  void (*f)(void *context, size_t i);
  void *context;
  size_t n;
  atomic_size_t next;           /* iteration that nobody has taken yet */
};

static void take(crew *c)
{
  for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->n;)
    c->f(c->context, i);
}

static void *serve(void *context)
{
  crew *c = context;
  pthread_mutex_lock(&c->lock);
  while (c->state != DISMISSED)
    if (c->state == CALLED) {
      c->state = AT_WORK;
      pthread_mutex_unlock(&c->lock);
      take(c);
      pthread_mutex_lock(&c->lock);
      c->state = IDLE;
      pthread_cond_signal(&c->ended);
    } else
      pthread_cond_wait(&c->called, &c->lock);
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Signals are for the thread that began: it looks at the clock. */
static bool begin(crew *c)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool begun = pthread_create(&c->thread, NULL, serve, c) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return begun;
}

crew *crew_new(void)
{
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
    return NULL;
  crew *c = MEM_NEW(crew, 1);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->called, NULL);
  pthread_cond_init(&c->ended, NULL);
  if (begin(c))
    return c;
  mem_free(c);
  return NULL;
}

static void set(crew *c, state to)
{
  c->state = to;
  pthread_cond_signal(&c->called);
}

void crew_free(crew *c)
{
  if (!c)
    return;
  pthread_mutex_lock(&c->lock);
  set(c, DISMISSED);
  pthread_mutex_unlock(&c->lock);
  pthread_join(c->thread, NULL);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->called);
  pthread_cond_destroy(&c->ended);
  mem_free(c);
}

void crew_each(crew *c, void (*f)(void *context, size_t i), void *context, size_t n)
{
  if (!c) {
    for (size_t i = 0; i < n; i++)
      f(context, i);
    return;
  }
  pthread_mutex_lock(&c->lock);
  c->f = f, c->context = context, c->n = n;
  atomic_store(&c->next, 0);
  set(c, CALLED);
  pthread_mutex_unlock(&c->lock);
  take(c);
  pthread_mutex_lock(&c->lock);
  while (c->state == AT_WORK)
    pthread_cond_wait(&c->ended, &c->lock);
  c->state = IDLE;              /* called, and not come: nothing is left to do */
  pthread_mutex_unlock(&c->lock);
}
