import type { ClientBase } from 'pg'
import { STICKY_VERDICT } from '../columns.ts'
import type { NewStickyVerdict } from '../store.ts'
import { insertNumbered, runIfAny } from './array-statement.ts'
import type { Numbers } from './new-numbers.ts'

/** Stores verdicts that carry over to later visits. */
export const addStickyVerdicts = (
  client: ClientBase,
  verdicts: readonly NewStickyVerdict[],
  numbers: Numbers,
): Promise<void> =>
  runIfAny(
    ADD,
    client,
    verdicts.map((verdict) => ({ ...verdict, id: numbers.next('sticky_verdicts') })),
  )

const ADD = insertNumbered('sticky_verdicts', STICKY_VERDICT)
