import type { Resolve } from './safe-fetch.ts'

type Answer = Parameters<Parameters<Resolve>[2]>

/**
 * Asks for a name once for all who want to know it at the same time. A look-up holds one of few threads until it is
 * answered: a receiver whose name server is silent would, with one for each send, take all of them from the others.
 */
export function sharedLookup(resolve: Resolve): Resolve {
  const asking = new Map<string, ((...answer: Answer) => void)[]>()

  return (hostname, options, callback) => {
    const question = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const waiting = asking.get(question)
    if (waiting) {
      waiting.push(callback)
      return
    }
    const all = [callback]
    asking.set(question, all)
    resolve(hostname, options, (...answer) => {
      asking.delete(question)
      for (const tell of all) tell(...answer)
    })
  }
}
