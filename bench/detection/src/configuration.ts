import type { Family } from './families.ts'
import type { Visit } from './visit.ts'

/** `bare` has no window manager, like a server; `desktop` has one, like a person's machine. */
export type Display = 'bare' | 'desktop'

export interface Configuration {
  /** The name of its file. */
  id: string
  title: string
  /** Who uses the browser: a program, or the imitation of a person. */
  kind: 'automation' | 'control'
  /** Of automation only. It decides to which half the configuration belongs. */
  family?: Family
  /** Why it is not caught, where that is known. */
  missedBecause?: string
  /** Whether it belongs to the 18 of the reference matrix. */
  inMatrix?: true
  engine: 'chromium' | 'firefox'
  /** npm packages that drive it; the result includes their versions. */
  packages?: readonly string[]
  display: Display
  /** Whether it also pretends to be another browser, which should raise `anti_detect_browser`. */
  spoofs?: true
  /** Whether the page is in a private window or an in-memory context. */
  isPrivate: boolean
  /** Whether it fills in the form. */
  acts: boolean
  env?: Record<string, string>
  /** Opens the page, fills in the form, and closes the browser when the verdict is final. */
  run(visit: Visit): Promise<void>
}
