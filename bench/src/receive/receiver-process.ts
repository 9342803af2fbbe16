import { openReceiver } from './open-receiver.ts'

/** Runs a receiver in its own process. On request it reports the arrivals to its parent. */
const receiver = await openReceiver()
process.on('message', () => process.send?.([...receiver.arrivals]))
process.on('disconnect', () => process.exit(0))
process.send?.(receiver.url)
