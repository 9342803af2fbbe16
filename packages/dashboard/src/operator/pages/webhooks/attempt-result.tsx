import type { EndpointAttempt } from '@inkling/contract/account'
import { Alert } from '@mantine/core'
import { Icon } from '../../parts/icon.tsx'

interface AttemptResultProps {
  what: string
  result: EndpointAttempt
}

/** What became of a ping or a test. */
export function AttemptResult({ what, result: { state, status, duration_ms, error } }: AttemptResultProps) {
  const worked = state === 'verified'
  return (
    <Alert
      role="status"
      color={worked ? 'teal' : 'red'}
      icon={<Icon name={worked ? 'check' : 'alert'} />}
      title={worked ? `${what}: the endpoint answered` : `${what}: the endpoint did not accept it`}
    >
      {status === null ? (error ?? 'No answer came.') : `HTTP ${status}`} after {duration_ms} ms
    </Alert>
  )
}
