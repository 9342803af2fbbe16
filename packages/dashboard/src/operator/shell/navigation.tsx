import { Badge, Divider, NavLink, Select, Stack, Text } from '@mantine/core'
import { Link, useMatches, useNavigate } from '@tanstack/react-router'
import { isGiven, useRights } from '../api/rights.ts'
import { useApiQuery, useIsOwner } from '../api/use-api.ts'
import { PAGES, type Page } from '../pages.ts'
import { casesText } from '../parts/case-words.tsx'
import { Icon } from '../parts/icon.tsx'
import { useShownDomain } from './shown-domain.ts'

type ListedPage = Extract<(typeof PAGES)[number], { icon: string }>

const LISTED = PAGES.filter((page): page is ListedPage => 'icon' in page)
const DOMAIN_PAGES = LISTED.filter(({ path }) => path.startsWith('/d/$domain/'))
const INSTALLATION_PAGES = LISTED.filter((page) => !DOMAIN_PAGES.includes(page))

export function Navigation() {
  const shown = useShownDomain()
  return (
    <Stack gap="xs" component="nav" aria-label="Pages">
      {shown !== undefined && (
        <>
          <DomainSwitch domain={shown} />
          <Links pages={DOMAIN_PAGES} domain={shown} />
          <Divider />
        </>
      )}
      <Text size="xs" fw={600} className="dim" px="xs">
        Installation
      </Text>
      <Links pages={INSTALLATION_PAGES} />
    </Stack>
  )
}

/** Stays on the same page where it exists for every domain; an identification belongs to one of them. */
function DomainSwitch({ domain }: { domain: string }) {
  const { data = [] } = useApiQuery('listDomains', {})
  const navigate = useNavigate()
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  const to = DOMAIN_PAGES.find(({ path }) => path === current)?.path ?? '/d/$domain/overview'
  return (
    <Select
      label="Domain"
      data={data.map((known) => known.domain)}
      value={domain}
      allowDeselect={false}
      searchable={data.length > 8}
      onChange={(chosen) => {
        if (chosen !== null) void navigate({ to, params: { domain: chosen } })
      }}
    />
  )
}

function Links({ pages, domain }: { pages: readonly ListedPage[]; domain?: string }) {
  const isOwner = useIsOwner()
  const rights = useRights(domain)
  return (
    <div>
      {pages
        .filter((page: Page) => isGiven(page.needs, { isOwner, rights }))
        .map(({ path, title, icon }) => (
          <NavLink
            key={path}
            label={title}
            leftSection={<Icon name={icon} />}
            rightSection={
              path === '/d/$domain/cases' && domain !== undefined && <OpenCases domain={domain} />
            }
            renderRoot={(props) => (
              <Link
                {...props}
                to={path}
                params={domain === undefined ? {} : { domain }}
                activeProps={{ 'data-active': true, 'aria-current': 'page' }}
              />
            )}
          />
        ))}
    </div>
  )
}

const CASES_REFRESH_MS = 30_000

/** How many cases of the domain are open; nothing where there are none. */
function OpenCases({ domain }: { domain: string }) {
  const { data } = useApiQuery('countCases', { params: { domain } }, { refetchInterval: CASES_REFRESH_MS })
  if (!data || data.open === 0) return null
  return (
    <Badge size="sm" variant="default" aria-label={`${casesText(data.open)} open`}>
      {casesText(data.open)}
    </Badge>
  )
}
