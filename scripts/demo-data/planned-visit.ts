import type { VisitState } from '../../bench/identity/population/device.ts'

/** Who is behind a visit; `mover` is an honest person far from the clock's zone. */
export type Actor =
  | 'ordinary'
  | 'automation'
  | 'vpn'
  | 'tor'
  | 'datacenter'
  | 'antidetect'
  | 'incognito'
  | 'abuser'
  | 'mover'

/** A visit as it will be sent: everything that chance decides is in it. */
export interface PlannedVisit {
  requestId: string
  atMs: number
  actor: Actor
  userHid: string
  sessionId: string
  cookieId: string
  address: string
  /** Where the packets of the network check come from; undefined when the check did not run. */
  checkedAddress: string | undefined
  /**
   * Name of a visitor that many devices share. The linker would give each device a visitor of its own, but rows of
   * earlier releases and merged devices can share one.
   */
  visitorOf: string | undefined
  state: VisitState
  landing: { url: string; referrer: string }
}
