import type { Simulation } from './simulation.ts'

interface Task {
  /** Undefined where the user says when it ends. */
  ms: number | undefined
  done: () => void
  failed: () => void
}

/** Some equal servers with one queue, first come, first served: processors, connections, or a lock. */
export interface Servers {
  /** @param failed called instead of `done` when the servers stop meanwhile */
  use(ms: number, done: () => void, failed?: () => void): void
  /** Takes one of the servers until `free` is called. */
  hold(work: (free: () => void) => void): void
  /** Fails all tasks, and new ones until the restart. */
  stop(): void
  start(): void
  /** Changes the number of servers; tasks that run are finished. */
  resize(count: number): void
  waiting(): number
  waitingMost(): number
  /** Time of all servers together that was used. */
  busyMs(): number
}

const ignore = (): void => undefined

export function createServers(simulation: Simulation, count: number): Servers {
  let size = count
  /** Tasks from `head` on wait; the ones before are cut off now and then. */
  let queue: Task[] = []
  let head = 0
  let running = new Set<Task>()
  let isStopped = false
  let busyMs = 0
  let waitingMost = 0

  function startNext(): void {
    while (running.size < size && head < queue.length) {
      const task = queue[head++] as Task
      begin(task)
    }
    if (head > 1_024 && head * 2 > queue.length) {
      queue = queue.slice(head)
      head = 0
    }
  }

  function begin(task: Task): void {
    running.add(task)
    const { ms } = task
    if (ms === undefined) task.done()
    else
      simulation.after(ms, () => {
        if (!end(task)) return
        busyMs += ms
        task.done()
      })
  }

  function end(task: Task): boolean {
    if (!running.delete(task)) return false
    startNext()
    return true
  }

  function take(task: Task): void {
    if (isStopped) simulation.after(0, task.failed)
    else if (running.size < size) begin(task)
    else {
      queue.push(task)
      waitingMost = Math.max(waitingMost, queue.length - head)
    }
  }

  return {
    use: (ms, done, failed = ignore) => take({ ms, done, failed }),
    hold(work) {
      const task: Task = { ms: undefined, done: () => work(() => void end(task)), failed: ignore }
      take(task)
    },
    stop() {
      isStopped = true
      const ended = [...running, ...queue.slice(head)]
      running = new Set()
      queue = []
      head = 0
      for (const { failed } of ended) simulation.after(0, failed)
    },
    start() {
      isStopped = false
    },
    resize(next) {
      size = next
      startNext()
    },
    waiting: () => queue.length - head,
    waitingMost: () => waitingMost,
    busyMs: () => busyMs,
  }
}
