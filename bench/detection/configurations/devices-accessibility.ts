import type { Configuration } from '../src/configuration.ts'
import { openAccessibility } from '../src/drive/accessibility.ts'
import { visitInChromium } from '../src/drive/desktop.ts'

export const devicesAccessibility: Configuration = {
  id: 'devices-accessibility',
  title:
    'Assistive technology, or RPA that uses its interface (AT-SPI): sets the fields and presses the button',
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
        await tree.setText(await tree.find('Name', 'EditableText'), 'Ada Lovelace')
        await tree.setText(await tree.find('Email', 'EditableText'), 'ada@example.org')
        await tree.press(await tree.find('Create account', 'Action'))
      },
    })
    tree.close()
  },
}
