import type { Signal } from '../define-signal.ts'
import { abuser } from './abuser.ts'
import { antidetectBrowser } from './antidetect-browser.ts'
import { browserAutomation } from './browser-automation.ts'
import { browserVpnProxy } from './browser-vpn-proxy.ts'
import { checkIncomplete } from './check-incomplete.ts'
import { clientMismatch } from './client-mismatch.ts'
import { cookieOnOtherMachine } from './cookie-on-other-machine.ts'
import { datacenterIp } from './datacenter-ip.ts'
import { honeytoken } from './honeytoken.ts'
import { implausibleEvidence } from './implausible-evidence.ts'
import { incognito } from './incognito.ts'
import { incompleteEvidence } from './incomplete-evidence.ts'
import { ipMismatch } from './ip-mismatch.ts'
import { javascriptDisabled } from './javascript-disabled.ts'
import { osMismatch } from './os-mismatch.ts'
import { osNotDetected } from './os-not-detected.ts'
import { privacyRelay } from './privacy-relay.ts'
import { proxy } from './proxy.ts'
import { replayed } from './replayed.ts'
import { stickyVerdict } from './sticky-verdict.ts'
import { stunLateCorrection } from './stun-late-correction.ts'
import { stunNotChecked } from './stun-not-checked.ts'
import { timezoneMismatch } from './timezone-mismatch.ts'
import { tor } from './tor.ts'
import { vpn } from './vpn.ts'

/** Every signal, in the order in which a score lists their entries. */
export const SIGNALS = [
  javascriptDisabled,
  incompleteEvidence,
  implausibleEvidence,
  replayed,
  clientMismatch,
  cookieOnOtherMachine,
  antidetectBrowser,
  browserAutomation,
  honeytoken,
  stickyVerdict,
  tor,
  privacyRelay,
  vpn,
  browserVpnProxy,
  osMismatch,
  osNotDetected,
  proxy,
  datacenterIp,
  abuser,
  timezoneMismatch,
  stunNotChecked,
  stunLateCorrection,
  ipMismatch,
  incognito,
  checkIncomplete,
] as const satisfies readonly Signal[]

export type SignalName = (typeof SIGNALS)[number]['name']
