import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '../parts/icon.tsx'

const SCHEMES: Record<MantineColorScheme, { label: string; icon: IconName }> = {
  auto: { label: 'System', icon: 'auto' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
}

export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Colour scheme">
          <Icon name={SCHEMES[colorScheme].icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(SCHEMES) as MantineColorScheme[]).map((name) => (
          <Menu.Item
            key={name}
            leftSection={<Icon name={SCHEMES[name].icon} size={16} />}
            rightSection={name === colorScheme ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(name)}
          >
            {SCHEMES[name].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
