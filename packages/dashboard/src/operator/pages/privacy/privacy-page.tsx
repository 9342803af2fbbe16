import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { CancelDownload, useDownload } from '../../parts/download.tsx'
import { Icon } from '../../parts/icon.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { PageHead, Section } from '../../parts/layout.tsx'
import { identifierProblem } from '../identifications/table-search.ts'
import { Erasure } from './erasure.tsx'

const route = getRouteApi('/signed-in/d/$domain/privacy')

export function PrivacyPage() {
  const { domain } = route.useParams()
  const [type, setType] = useState<SearchType>('user_hid')
  const [text, setText] = useState('')
  const value = text.trim()
  const problem = value === '' ? undefined : identifierProblem({ type, value })
  const ready = value !== '' && problem === undefined
  return (
    <>
      <PageHead about={`Export or erase the data that ${domain} has about one person.`} />
      <Section title="Person" about="All data with exactly this identifier.">
        <Group align="flex-start" gap="xs">
          <Select
            label="Identifier"
            data={SEARCH_TYPES.map((name) => ({ value: name, label: IDENTIFIER_LABELS[name] }))}
            value={type}
            allowDeselect={false}
            onChange={(chosen) => setType((chosen as SearchType | null) ?? type)}
            w={150}
          />
          <TextInput
            label="Value"
            value={text}
            error={problem}
            onChange={(event) => setText(event.currentTarget.value)}
            flex="1 1 260px"
          />
        </Group>
        <Group>
          <Export domain={domain} type={type} value={value} ready={ready} />
          <Erasure key={`${type} ${value}`} domain={domain} type={type} value={value} ready={ready} />
        </Group>
      </Section>
    </>
  )
}

interface ExportProps {
  domain: string
  type: SearchType
  value: string
  ready: boolean
}

function Export({ domain, type, value, ready }: ExportProps) {
  const download = useDownload()
  if (download.bytes !== undefined) return <CancelDownload download={download} />
  return (
    <Button
      variant="default"
      disabled={!ready}
      leftSection={<Icon name="download" size={16} />}
      onClick={() =>
        void download.start(
          'exportIdentifier',
          { params: { domain }, query: { type, value } },
          `${domain}-${type}.json`,
        )
      }
    >
      Export as JSON
    </Button>
  )
}
