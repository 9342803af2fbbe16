import type { Signal } from '../define-signal.ts'
import { browserAutomation } from './browser-automation.ts'
import { checkIncomplete } from './check-incomplete.ts'
import { datacenterIp } from './datacenter-ip.ts'
import { javascriptDisabled } from './javascript-disabled.ts'
import { osNotDetected } from './os-not-detected.ts'
import { timezoneMismatch } from './timezone-mismatch.ts'

/** Every signal that is evaluated, in the order in which entries are listed. */
export const SIGNALS: readonly Signal[] = [
  javascriptDisabled,
  browserAutomation,
  osNotDetected,
  datacenterIp,
  timezoneMismatch,
  checkIncomplete,
]
