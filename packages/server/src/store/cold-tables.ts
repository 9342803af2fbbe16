// Tables of bodies that are in a cold storage: see `cold/`.

/** An object with bodies of a domain's rows. */
export interface ColdObjectTable {
  domain_id: number
  /** Its name, hexadecimal. */
  object: string
  /** `writing` until its rows may refer to it, `removing` once none does: it is removed after a crash. */
  state: 'writing' | 'stored' | 'removing'
  bytes: number
  /** Where the list of its rows begins. */
  index_at: number
  /** Bodies that were written to it. */
  bodies: number
  /** Those that rows referred to when they were last counted. */
  bodies_left: number
  /** Bytes that all of them took less in the database. */
  released: number
  created_at: number
  /** When its rows were last counted. */
  checked_at: number
}

/** How far the bodies of a domain are moved: the last visit, in the order of time. */
export interface ColdProgressTable {
  domain_id: number
  created_at: number
  identification_id: number
}
