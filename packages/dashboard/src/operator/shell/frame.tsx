import { Anchor, AppShell, Box, Burger, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isGiven, useRights } from '../api/rights.ts'
import { useApi, useApiQuery, useIsOwner, useUser } from '../api/use-api.ts'
import { FindAnything } from '../find/find-anything.tsx'
import { attempt, Empty } from '../parts/feedback.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/layout.tsx'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import classes from './frame.module.css'
import { Navigation } from './navigation.tsx'
import { ProofDialog } from './proof-dialog.tsx'

/** Mounted anew when another tab has signed somebody else in, so that nothing of the last user stays. */
export function Frame() {
  const id = useUser()?.id
  const [shown, setShown] = useState(id)
  // Whoever signs out still sees the page until the next one is there.
  if (id !== undefined && id !== shown) setShown(id)
  return <FrameOfUser key={shown} />
}

/** The header and navigation around every page. */
function FrameOfUser() {
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening a page closes a phone's menu
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className={classes.skip} href={`${pathname}#main`} onClick={focusMain}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Anchor underline="never" c="inherit" renderRoot={(props) => <Link {...props} to="/" />}>
              <Group gap={8} wrap="nowrap" className="one-line">
                <img src="inkling.svg" width={24} height={24} alt="" />
                <Text fw={700}>Inkling</Text>
              </Group>
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <FindAnything />
            <ColorSchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navigation ?? ''}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main>
        <Box id="main" tabIndex={-1} className={classes.main ?? ''}>
          <PageOfDomain />
        </Box>
        <ProofDialog />
      </AppShell.Main>
    </AppShell>
  )
}

/** The page, unless the role of the user does not reach it, or its address names a domain that does not exist for them. */
function PageOfDomain() {
  const { domain } = useParams({ strict: false })
  const { data, isFetching } = useApiQuery('listDomains', {})
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs })
  const isOwner = useIsOwner()
  const rights = useRights(domain)
  if (!isGiven(needs, { isOwner, rights }) && data && (domain === undefined || rights.size > 0))
    return (
      <>
        <PageHead />
        <Empty title="Not part of your role">
          This page needs another role than yours{domain === undefined ? '' : ` in ${domain}`}. An owner can
          give it to you.
        </Empty>
      </>
    )
  if (domain === undefined || !data || isFetching || data.some((known) => known.domain === domain))
    return <Outlet />
  return (
    <>
      <PageHead title={domain} />
      <Empty title="No such domain">
        The address names {domain}, which is not a domain that you can see. Choose one in the menu, or see{' '}
        <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/domains" />}>
          all domains
        </Anchor>
        .
      </Empty>
    </>
  )
}

/** A plain link to `#main` would be resolved against the page's base address instead of this page. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function UserMenu() {
  const { session } = useApi()
  const user = useUser()
  const navigate = useNavigate()
  async function signOut(): Promise<void> {
    await attempt('You are signed out.', session.signOut)
    if (!session.user()) await navigate({ to: '/login' })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="sm" px="sm" maw={240} aria-label={`Signed in as ${user?.email}`}>
          <Box component="span" visibleFrom="sm" mr={6}>
            {user?.email}
          </Box>
          <Icon name="user" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user?.email}, {user?.role}
        </Menu.Label>
        <Menu.Item
          leftSection={<Icon name="user" size={16} />}
          onClick={() => void navigate({ to: '/account' })}
        >
          My account
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
