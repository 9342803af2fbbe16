import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const javascriptDisabled = defineSignal({
  name: 'javascript_disabled',
  meaning: 'The page was shown without running JavaScript.',
  innocentCauses: ['a visitor who blocks scripts', 'a reader mode or text browser'],
  test({ via, readings }) {
    if (via === 'noscript') return hit('JavaScript disabled', { beacon: 'noscript image loaded' })
    return Object.values(readings).some((fact) => fact.ok) ? clear : unknown
  },
})
