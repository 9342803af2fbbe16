import type { MadeApiKey } from '@inkling/contract/account'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { SecretsDialog } from '../../parts/dialogs.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { AddKey } from './add-key.tsx'
import { KeysTable } from './keys-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/api-keys')

export function ApiKeysPage() {
  const { domain } = route.useParams()
  const mayChange = useMay('settings:write')
  const query = useApiQuery('listApiKeys', { params: { domain } })
  const [made, setMade] = useState<MadeApiKey>()
  return (
    <>
      <PageHead
        about={`Give each program of yours that asks about ${domain} a key of its own, for what it needs.`}
      >
        {mayChange && <AddKey domain={domain} show={setMade} />}
      </PageHead>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No named keys yet">
              The domain’s own API key searches, assesses, decides and labels. A named key opens only what you
              choose, and can be revoked without touching the others.
            </Empty>
          ) : (
            <KeysTable domain={domain} keys={data} show={setMade} />
          )
        }
      </Loaded>
      <SecretsDialog
        title={`Key ${made?.api_key.name ?? ''}`}
        about={
          <>
            Copy it now: it is not shown again.
            {made?.api_key.previous_until && (
              <>
                {' '}
                The old key works until <Time at={made.api_key.previous_until} />.
              </>
            )}
          </>
        }
        secrets={made && [{ name: 'API key', value: made.key }]}
        close={() => setMade(undefined)}
      />
    </>
  )
}
