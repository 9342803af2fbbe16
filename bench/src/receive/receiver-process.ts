import { openReceiver } from './open-receiver.ts'

/** A receiver in a process of its own, which tells its parent what arrived when it is asked. */
const receiver = await openReceiver()
process.on('message', () => process.send?.([...receiver.arrivals]))
process.on('disconnect', () => process.exit(0))
process.send?.(receiver.url)
