import type { Configuration } from '../src/configuration.ts'
import { openAccessibility } from '../src/drive/accessibility.ts'
import { visitInChromium } from '../src/drive/desktop.ts'
import { xdotool } from '../src/drive/desktop-input.ts'

export const devicesAccessibility: Configuration = {
  id: 'devices-accessibility',
  title:
    'Assistive technology, or RPA that uses its interface (AT-SPI): goes to the fields, types at once, and presses the button',
  kind: 'automation',
  family: 'devices',
  engine: 'chromium',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  missedBecause: 'it is the interface of screen readers, switch and voice control',
  async run(visit) {
    const tree = await openAccessibility()
    await visitInChromium(visit, {
      args: ['--force-renderer-accessibility'],
      async fillIn() {
        await tree.use('Name')
        await xdotool('type', '--delay', '12', 'Ada Lovelace')
        await tree.use('Email')
        await xdotool('type', '--delay', '12', 'ada@example.org')
        await tree.use('Create account')
      },
    })
    tree.close()
  },
}
