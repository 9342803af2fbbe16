/*
 * What vouches that a body comes from a page that this server gave a ticket to. Plain JSON: it is stored with the
 * snapshot, so that a visit can be scored again. docs/decisions/0011-tickets.md says how it is made.
 */

/**
 * `repeated`: the ticket, or the whole body, was made for another request ID; `foreign`: made for another domain or page;
 * `expired`: older than a ticket may be; `forged`: not made by this server. A missing ticket has many innocent causes.
 */
export type TicketState = 'valid' | 'missing' | 'expired' | 'repeated' | 'foreign' | 'forged'

export interface TicketProof {
  state: TicketState
  /** In a word, where there are several reasons for a state. */
  why?: 'ticket' | 'body' | 'domain' | 'page' | 'unreadable' | 'unknown_key' | 'wrong_mac' | undefined
  /** From the ticket to the arrival of the body, by the server's clock. */
  ageMs?: number | undefined
  /** The request ID that used the ticket or the body first. Only for `repeated`. */
  firstRequestId?: string | undefined
  /** Whether the body came from another network than the one that asked for the ticket, as phones do that change it. */
  addressChanged?: boolean | undefined
  /** Whether it came over a connection of another client; undefined where that cannot be seen, as behind a proxy. */
  clientChanged?: boolean | undefined
}

/**
 * `none`: the body has no signature, as of agents before device keys; `unsupported`: the browser says that it can have no
 * key, as on insecure origins; `invalid`: the signature is not that key's, or of something else.
 */
export interface KeyProof {
  state: 'none' | 'unsupported' | 'proven' | 'invalid'
  /** A hash of the public key, when it is proven. */
  id?: string | undefined
}

/** A curve that a ticket asked for, and how long the browser says that it is. */
export interface MeasuredCurve {
  curve: string
  length: number
}

export interface Proof {
  ticket: TicketProof
  /** `bound`: the digest is of this body and ticket; `unbound`: there is none; `altered`: it is of something else. */
  body: 'bound' | 'unbound' | 'altered'
  /** Whether the page was left before its readings were complete, so that some are missing. */
  interrupted: boolean
  key: KeyProof
  /**
   * Whether nearly all recent visits of the domain brought a valid ticket, so that its absence says something; undefined
   * while too few visits are known.
   */
  expected: boolean | undefined
  /**
   * `unlike`: the curves of the ticket have other lengths than in all other browsers of the claimed version; `missing`: none
   * came, unlike with practically all visits of the page's host. Undefined where nothing speaks against them.
   */
  curves?: 'unlike' | 'missing' | undefined
}

/**
 * A ticket alone is had for the asking, and a body without anything that agents end it with is written in a line. Who sends
 * either says nothing of a domain's visits: where honest tickets do not arrive, their bodies are sealed all the same.
 */
export const isUnproven = ({ ticket, body, key }: Proof): boolean =>
  ticket.state === 'valid'
    ? body !== 'bound' || key.state === 'none'
    : body === 'unbound' && key.state === 'none'
