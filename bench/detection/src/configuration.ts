import type { Visit } from './visit.ts'

/** `bare` has no window manager, as on a server; `desktop` has one, as a person does. */
export type Display = 'bare' | 'desktop'

export interface Configuration {
  /** The name of its file. */
  id: string
  title: string
  /** Who uses the browser: a program, or the stand-in for a person. */
  kind: 'automation' | 'control'
  /** Whether it is one of the 18 of the reference matrix. */
  inMatrix?: true
  engine: 'chromium' | 'firefox'
  /** npm packages that drive it, whose versions belong to the result. */
  packages?: readonly string[]
  display: Display
  /** Whether it also pretends to be another browser, which is to raise `anti_detect_browser`. */
  spoofs?: true
  /** Whether the page is in a private window, or in a context that is kept in memory alone. */
  isPrivate: boolean
  /** Whether it fills in the form. */
  acts: boolean
  env?: Record<string, string>
  /** Opens the page, fills it in, and closes the browser when the verdict is final. */
  run(visit: Visit): Promise<void>
}
