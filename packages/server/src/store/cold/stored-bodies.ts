import { AppError } from '../../lib/errors.ts'
import { type BodyOwner, type ColdBody, openBody, readColdBody } from './cold-body.ts'
import type { ObjectStorage } from './object-storage.ts'

/** A body as its row has it. */
export interface StoredBody extends Omit<BodyOwner, 'domainId'> {
  body: Uint8Array
}

/** Reading what lies between two bodies costs less than another request. */
const GAP_BYTES = 65_536

interface Wanted {
  at: number
  owner: BodyOwner
  cold: ColdBody
}

export const objectName = (domainId: number, object: string): string => `${domainId}/${object}`

/**
 * The packed texts of a domain's rows, in their order, wherever they are. Undefined for those that the cold storage has
 * lost.
 * @throws AppError `INK_COLD_STORAGE` when it does not respond, and when rows need it and there is none
 */
export async function readStoredBodies(
  storage: ObjectStorage | undefined,
  domainId: number,
  bodies: readonly StoredBody[],
): Promise<(Uint8Array | undefined)[]> {
  const found: (Uint8Array | undefined)[] = bodies.map(({ body }) => body)
  const wanted = bodies.flatMap(({ kind, id, body }, at): Wanted[] => {
    const cold = readColdBody(body)
    return cold ? [{ at, owner: { kind, domainId, id }, cold }] : []
  })
  if (wanted.length === 0) return found
  if (!storage) throw new AppError('INK_COLD_STORAGE', 'the row is in a cold storage, and none is set')
  for (const [object, ofObject] of Map.groupBy(wanted, ({ cold }) => cold.object))
    for (const span of spansOf(ofObject)) {
      const [first, last] = [span[0], span.at(-1)]
      if (!first || !last) continue
      const { offset } = first.cold
      const length = last.cold.offset + last.cold.length - offset
      const bytes = await storage.get(objectName(domainId, object), { offset, length })
      for (const one of span) found[one.at] = bytes && opened(one, bytes.subarray(one.cold.offset - offset))
    }
  return found
}

/** Undefined for damaged bytes, as for lost ones. */
function opened({ owner, cold }: Wanted, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return openBody(owner, cold.key, bytes.subarray(0, cold.length))
  } catch {
    return undefined
  }
}

/** Bodies of an object that are read at once. */
function spansOf(wanted: readonly Wanted[]): Wanted[][] {
  const spans: Wanted[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const one of wanted.toSorted((a, b) => a.cold.offset - b.cold.offset)) {
    if (one.cold.offset - end > GAP_BYTES) spans.push([])
    spans.at(-1)?.push(one)
    end = one.cold.offset + one.cold.length
  }
  return spans
}

/** The packed text of one row. */
export const readStoredBody = async (
  storage: ObjectStorage | undefined,
  domainId: number,
  body: StoredBody,
): Promise<Uint8Array | undefined> => (await readStoredBodies(storage, domainId, [body]))[0]

/** In place of what the cold storage has and cannot give now. */
export const UNAVAILABLE = Symbol('unavailable')

/** What a reader does about an outage of the cold storage. */
export type InOutage = <Result>(reading: Promise<Result>) => Promise<Result | typeof UNAVAILABLE>

/** For a reader who has more to say than what it reads. */
export const unlessUnavailable: InOutage = async (reading) => {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && error.code === 'INK_COLD_STORAGE') return UNAVAILABLE
    throw error
  }
}
