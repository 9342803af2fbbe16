import { Anchor, AppShell, Box, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import classes from './frame.module.css'
import { Navigation } from './navigation.tsx'
import { UserMenu } from './user-menu.tsx'

/** What is around every page. */
export function Frame() {
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a phone
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className={classes.skip} href={`${pathname}#main`} onClick={focusMain}>
        Skip to the content
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
            <ColorSchemeMenu />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main>
        <Box id="main" tabIndex={-1} className={classes.main ?? ''}>
          <Outlet />
        </Box>
      </AppShell.Main>
    </AppShell>
  )
}

/** By hand: an address with a fragment would be resolved against the base of the page. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
