/**
 * Weights and thresholds of signals were chosen while looking at the `fit` half. The `judge` half was only measured: it
 * shows what to expect of forgers and people that nobody looked at. Families are split as a whole, because the members of
 * one are alike.
 */
export type Half = 'fit' | 'judge'

export const FAMILIES: Readonly<Record<string, Half>> = {
  // Forgers
  'empty bodies': 'fit',
  'captured bodies': 'fit',
  'HTTP clients': 'fit',
  jsdom: 'fit',
  'stolen storage': 'fit',
  'composed bodies': 'judge',
  'captured and aged': 'judge',
  'captured and moved': 'judge',
  "the agent's protocol": 'judge',
  'imitated handshakes': 'judge',
  'happy-dom': 'judge',
  'harvested tickets': 'judge',
  relay: 'judge',
  // People
  'windows and settings': 'fit',
  storage: 'fit',
  'HTTP versions': 'fit',
  'pages and frames': 'judge',
  'caches and proxies': 'judge',
  times: 'judge',
  hardened: 'judge',
}

export function halfOf(family: string): Half {
  const half = FAMILIES[family]
  if (half === undefined) throw new Error(`no family ${family}`)
  return half
}
