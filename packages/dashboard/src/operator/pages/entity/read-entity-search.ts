import { ENTITY_TYPES } from '@inkling/contract/account'

export type EntityType = (typeof ENTITY_TYPES)[number]

export interface EntitySearch {
  type: EntityType
  value: string
}

/** Of an address that was typed by hand, too. */
export const readEntitySearch = ({ type, value }: Record<string, unknown>): EntitySearch => ({
  type: ENTITY_TYPES.find((known) => known === type) ?? 'device_id',
  value: typeof value === 'string' ? value : '',
})
