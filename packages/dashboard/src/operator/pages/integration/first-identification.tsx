import type { AccountDomain } from '@inkling/contract/account'
import { Alert, Anchor, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/use-api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'

/** Waits for a visit, and leads to it when it is there. */
export function FirstIdentification({ domain }: { domain: AccountDomain }) {
  const seen = domain.last_identification_at
  const newest = useAnswer(
    'searchIdentifications',
    { params: { domain: domain.domain }, query: { limit: 1 } },
    { enabled: seen !== null },
  )
  if (!domain.enabled)
    return (
      <Alert color="yellow" icon={<Icon name="alert" />} title="This domain is switched off">
        Its keys do not work until an owner switches it on.
      </Alert>
    )
  if (seen === null)
    return (
      <Alert
        color="indigo"
        icon={<Loader size={18} />}
        title="Waiting for the first identification"
        role="status"
      >
        Put the snippet into a page of {domain.domain} or of a subdomain and open it in a browser. It shows
        here within seconds.
      </Alert>
    )
  const requestId = newest.data?.data[0]?.request_id
  return (
    <Alert color="teal" icon={<Icon name="check" />} title="Identifications are coming in" role="status">
      The newest came at <Time at={seen} />.{' '}
      {requestId !== undefined && (
        <Anchor
          inherit
          c="inherit"
          underline="always"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/d/$domain/identifications/$requestId"
              params={{ domain: domain.domain, requestId }}
            />
          )}
        >
          Open it
        </Anchor>
      )}
    </Alert>
  )
}
