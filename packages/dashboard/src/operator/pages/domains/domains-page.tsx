import type { NewDomainKeys } from '@inkling/contract/account'
import { SimpleGrid, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useApiMutation, useApiQuery, useIsOwner } from '../../api/use-api.ts'
import { AddDialog, SecretsDialog } from '../../parts/dialogs.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { DomainCard } from './domain-card.tsx'

export function DomainsPage() {
  const query = useApiQuery('listDomains', {})
  const isOwner = useIsOwner()
  const [keys, setKeys] = useState<NewDomainKeys>()
  return (
    <>
      <PageHead about="A domain includes its subdomains.">
        {isOwner && <AddDomain onAdded={setKeys} />}
      </PageHead>
      <Loaded query={query}>
        {(domains) =>
          domains.length === 0 ? (
            <Empty title="No domains yet">
              {isOwner
                ? 'Add the domain of the site whose visits you want to identify.'
                : 'An owner can add one, or give you a role in one.'}
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {domains.map((domain) => (
                <DomainCard key={domain.domain} domain={domain} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
      <SecretsDialog
        title={`Keys of ${keys?.domain ?? ''}`}
        about="Copy them now: the API key and the secret key are not shown again."
        secrets={
          keys && [
            { name: 'Public key, for your pages', value: keys.public_key },
            { name: 'API key, for the History API', value: keys.api_key },
            { name: 'Secret key, for the Management API', value: keys.secret_key },
          ]
        }
        close={() => setKeys(undefined)}
      />
    </>
  )
}

function AddDomain({ onAdded }: { onAdded(keys: NewDomainKeys): void }) {
  const disclosure = useDisclosure()
  const [domain, setDomain] = useState('')
  const add = useApiMutation('addDomain', ['listDomains'])

  const submit = () =>
    add.mutate(
      { body: { domain: domain.trim() } },
      {
        onSuccess(keys) {
          setDomain('')
          disclosure[1].close()
          onAdded(keys)
        },
      },
    )

  return (
    <AddDialog title="Add a domain" disclosure={disclosure} mutation={add} submit={submit}>
      <TextInput
        label="Domain"
        description="Lower case, without scheme, port, path or www."
        placeholder="shop.example"
        value={domain}
        required
        data-autofocus
        onChange={(event) => setDomain(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
