import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const osNotDetected = defineSignal({
  name: 'os_not_detected',
  title: 'Operating system not detected',
  weight: 30,
  flag: 'os_not_detected',
  meaning: 'The user agent names no known operating system.',
  evidence: 'The user agent.',
  innocentCauses: ['a rare or new device', 'a privacy tool that empties the user agent'],
  test({ client, request, readings: { user_agent } }) {
    const userAgent = user_agent.ok ? user_agent.value : request.userAgent
    if (userAgent === '') return unknown
    return client.os === 'Unknown'
      ? hit('UA OS is not detected', { user_agent: userAgent.slice(0, 256) })
      : clear
  },
})
