import { Box, Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useApi, useUser } from '../api/use-api.ts'
import { attempt } from '../parts/attempt.ts'
import { Icon } from '../parts/icon.tsx'

export function UserMenu() {
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
        <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
