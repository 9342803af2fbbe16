import type { VisitState } from '../../bench/identity/population/device.ts'

/** Who is behind a visit; `mover` is an honest person who is far away from their time zone. */
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

/** A visit with everything that was decided at random. */
export interface PlannedVisit {
  requestId: string
  atMs: number
  actor: Actor
  userHid: string
  sessionId: string
  cookieId: string
  address: string
  /** Source address of the network check; undefined if the check did not run. */
  checkedAddress: string | undefined
  /**
   * Name of a visitor that several devices share. The linker gives each device its own visitor, but rows
   * of earlier releases and merged devices can share one.
   */
  visitorOf: string | undefined
  state: VisitState
  landing: { url: string; referrer: string }
}
