#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex with two condition variables: one on which a pool's threads park, one on which its caller does.
///
/// A waiter checks its condition under the mutex and a waker takes the mutex before it signals, so a wake-up that
/// follows the change of the condition is never lost.
///
/// `@unchecked Sendable`: the three objects live at fixed addresses from `init` to `deinit` and are touched only through
/// the pthread functions.
final class ConditionMutex: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let workers = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let caller = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    workers.initialize(to: pthread_cond_t())
    caller.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(workers, nil)
    pthread_cond_init(caller, nil)
  }

  deinit {
    pthread_cond_destroy(caller)
    pthread_cond_destroy(workers)
    pthread_mutex_destroy(mutex)
    caller.deallocate()
    workers.deallocate()
    mutex.deallocate()
  }

  func waitAsWorker(until condition: () -> Bool) { wait(on: workers, until: condition) }

  func waitAsCaller(until condition: () -> Bool) { wait(on: caller, until: condition) }

  func wakeWorkers() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(workers)
    pthread_mutex_unlock(mutex)
  }

  func wakeCaller() {
    pthread_mutex_lock(mutex)
    pthread_cond_signal(caller)
    pthread_mutex_unlock(mutex)
  }

  private func wait(on variable: UnsafeMutablePointer<pthread_cond_t>, until condition: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !condition() { pthread_cond_wait(variable, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
