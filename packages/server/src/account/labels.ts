import { Readable } from 'node:stream'
import type { LABEL_OPERATIONS, ReachingLabel } from '@inkling/contract/account'
import { AppError } from '../lib/errors.ts'
import { labelStore } from '../store/labels/labels.ts'
import type { ReachedLabel } from '../store/labels/labels-of.ts'
import { newLabel, presentLabel } from '../store/labels/new-label.ts'
import { auditStore } from '../store/users/users.ts'
import { recordChange } from './audit.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import { type Handlers, inShareOf } from './handler.ts'
import { readLabelFile, writeLabelFile } from './label-file.ts'

/** The audit log names kinds, never subjects: an erasure could not find those there. */
export const labelOperations: Handlers<typeof LABEL_OPERATIONS> = {
  listLabels: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [before] = readCursor(query.cursor, 1) ?? []
    const filter = { kind: query.kind, type: query.type, text: query.value }
    const labels = await labelStore(store.reads).page(id, filter, { before, limit: query.limit })
    const last = labels.length === query.limit ? labels.at(-1) : undefined
    return { data: labels.map(presentLabel), next: last ? writeCursor([last.id]) : null }
  },

  saveLabel: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const label = newLabel(body, deps.now())
    if ('problem' in label) throw new AppError('INK_INVALID_FIELD', `subject.value: ${label.problem}`)
    const detail = { kind: label.kind, subject: label.subject.type }
    const change = { actor: caller.email, action: 'labels.save', target: name, detail }
    const saved = await recordChange(deps, change, async (transaction) => {
      const by = { author: caller.email, nowMs: deps.now() }
      return (await labelStore(transaction).save(id, [label], by)).labels[0]
    })
    if (!saved) throw new Error('the label was not saved')
    return presentLabel(saved)
  },

  removeLabel: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { label: params.label_id }
    const change = { actor: caller.email, action: 'labels.remove', target: name, detail }
    const removed = await recordChange(deps, change, (transaction) =>
      labelStore(transaction).remove(id, params.label_id),
    )
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such label')
    return undefined
  },

  importLabels: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const labels = await readLabelFile(body.csv, deps.now())
    const detail = { rows: labels.length }
    const change = { actor: caller.email, action: 'labels.import', target: name, detail }
    const saved = await recordChange(deps, change, (transaction) =>
      labelStore(transaction).save(id, labels, { author: caller.email, nowMs: deps.now() }),
    )
    return { rows: labels.length, replaced: saved?.replaced ?? 0 }
  },

  exportLabels: async ({ params, query, caller }, { store, now }) => {
    const { id, name } = await findDomain(store, params.domain)
    const change = { actor: caller.email, action: 'labels.export', target: name }
    await auditStore(store.writes).add(change, now())
    return {
      type: 'text/csv; charset=utf-8',
      name: `${name}-labels.csv`,
      content: Readable.from(writeLabelFile(store.reads, inShareOf(caller, store), id, query)),
    }
  },
}

/** Of one identification or entity. */
const SHOWN_MAX = 50

export const presentReachingLabels = (reached: readonly ReachedLabel[]): ReachingLabel[] =>
  reached.slice(0, SHOWN_MAX).map(({ label, reach }) => ({ label: presentLabel(label), reach }))
