/**
 * Lets the page paint and answer input before more work. A message, not a timer: browsers delay nested
 * timers by 4 ms, and those of hidden tabs by a second.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })
}
