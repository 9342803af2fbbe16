import DataLoader from 'dataloader'
import type { VisitConnection, VisitConnections } from './visit-connections.ts'

/** Loads the values of the numbers that exist. */
type Load<Value> = (
  connection: VisitConnection,
  domainId: number,
  numbers: readonly number[],
) => Promise<ReadonlyMap<number, Value>>

/** Look-ups in one batch, each of about fifty numbers. The first one must not wait for thousands of rows. */
const LOOK_UPS_MAX = 10

/**
 * Combines the look-ups of a domain that wait for a connection into one statement: the round trip costs more than the
 * search. Nothing is cached.
 * @returns a function that resolves to the values that exist, in the order of the numbers
 */
export function batchLoader<Value>(connect: VisitConnections['connect'], load: Load<Value>) {
  const loaders = new Map<number, DataLoader<readonly number[], Value[]>>()

  return async (domainId: number, numbers: readonly number[]): Promise<Value[]> => {
    if (numbers.length === 0) return []
    const loader = loaders.get(domainId) ?? domainLoader(() => connect(domainId), domainId, load)
    loaders.set(domainId, loader)
    return loader.load(numbers)
  }
}

/** The loader's key is a whole look-up: a promise for each number would cost four times as much. */
function domainLoader<Value>(connect: () => Promise<VisitConnection>, domainId: number, load: Load<Value>) {
  /** Connection of the batch that is being dispatched. */
  let connection: Promise<VisitConnection>

  return new DataLoader<readonly number[], Value[]>(
    async (lookUps) => {
      const found = await withConnection(connection, (connected) =>
        load(connected, domainId, [...new Set(lookUps.flat())]),
      )
      return lookUps.map((numbers) =>
        [...new Set(numbers)].flatMap((number) => {
          const value = found.get(number)
          return value === undefined ? [] : [value]
        }),
      )
    },
    {
      cache: false,
      maxBatchSize: LOOK_UPS_MAX,
      /**
       * The look-ups of all visits that arrived with this one join, and more until there is a connection. If none is
       * available, the batch fails with that error.
       */
      batchScheduleFn(dispatch) {
        setImmediate(() => {
          const connecting = connect()
          const dispatchWith = () => {
            connection = connecting
            dispatch()
          }
          connecting.then(dispatchWith, dispatchWith)
        })
      },
    },
  )
}

async function withConnection<Result>(
  connection: Promise<VisitConnection>,
  run: (connected: VisitConnection) => Promise<Result>,
): Promise<Result> {
  const connected = await connection
  const { client } = connected
  try {
    const result = await run(connected)
    client.release()
    return result
  } catch (error) {
    // The connection itself may be broken, so it is closed.
    client.release(true)
    throw error
  }
}
