import type { AccountDomain, NewDomainKeys } from '@inkling/contract/account'
import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useAnswer, useIsOwner } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { AddDomain } from './add-domain.tsx'
import { DomainCard } from './domain-card.tsx'

export function DomainsPage() {
  const query = useAnswer('listDomains', {})
  const isOwner = useIsOwner()
  const [keys, setKeys] = useState<NewDomainKeys>()
  return (
    <>
      <PageHead title="Domains and keys" about="A domain covers its subdomains.">
        {isOwner && <AddDomain added={setKeys} />}
      </PageHead>
      <Answered query={query}>{(domains) => <Domains domains={domains} isOwner={isOwner} />}</Answered>
      <ShownOnce
        title={`Keys of ${keys?.domain ?? ''}`}
        secrets={
          keys && [
            { name: 'Public key, for pages', value: keys.public_key },
            { name: 'API key, for the History API', value: keys.api_key },
            { name: 'Secret key, for the Management API', value: keys.secret_key },
          ]
        }
        close={() => setKeys(undefined)}
      />
    </>
  )
}

const Domains = ({ domains, isOwner }: { domains: readonly AccountDomain[]; isOwner: boolean }) =>
  domains.length === 0 ? (
    <Empty title="No domain is registered yet">
      {isOwner ? 'Add the domain of the site whose visits you want to identify.' : 'An owner can add one.'}
    </Empty>
  ) : (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {domains.map((domain) => (
        <DomainCard key={domain.domain} domain={domain} />
      ))}
    </SimpleGrid>
  )
