import { describe, expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { windowIndicators } from './window-indicators.ts'

interface Sizes {
  inner: [number, number]
  outer: [number, number]
  screen?: [number, number]
  scale?: number
  attached?: boolean
  nested?: boolean
  device?: 'desktop' | 'mobile'
  engine?: 'Blink' | 'WebKit'
}

const visit = ({
  inner,
  outer,
  screen = [1920, 1080],
  scale = 1,
  attached,
  nested,
  device,
  engine = 'Blink',
}: Sizes) =>
  identified({
    client: { ...identified().client, deviceType: device ?? 'desktop', engine },
    readings: {
      ...ordinaryReadings(),
      window: value({
        inner_width: inner[0],
        inner_height: inner[1],
        outer_width: outer[0],
        outer_height: outer[1],
        screen_x: 0,
        screen_y: 0,
      }),
      screen: value({
        width: screen[0],
        height: screen[1],
        avail_width: screen[0],
        avail_height: screen[1] - 40,
        color_depth: 24,
        pixel_ratio: scale,
      }),
      inspector: value({ attached: attached ?? false }),
      frame: value({ nested: nested ?? false, cross_origin: false }),
    },
  })

describe('windows of people', () => {
  test.each<[string, Sizes]>([
    ['maximised on Windows, which hangs over', { inner: [1920, 937], outer: [1936, 1056] }],
    ['an ordinary window', { inner: [937, 913], outer: [945, 1060] }],
    ['full screen', { inner: [1920, 1080], outer: [1920, 1080] }],
    ['full screen with a notice', { inner: [1920, 1024], outer: [1920, 1080] }],
    ['zoomed to 50 %', { inner: [1874, 1826], outer: [945, 1060], scale: 0.5 }],
    ['zoomed to 80 %', { inner: [1171, 1141], outer: [945, 1060], scale: 0.8 }],
    ['zoomed to 90 %', { inner: [1041, 1014], outer: [945, 1060], scale: 0.9 }],
    ['zoomed to 125 %', { inner: [750, 730], outer: [945, 1060], scale: 1.25 }],
    ['zoomed to 300 %', { inner: [312, 304], outer: [945, 1060], scale: 3 }],
    ['a monitor of 150 % and a page of 125 %', { inner: [1200, 640], outer: [1500, 950], scale: 1.875 }],
    ['a screen of double density', { inner: [932, 373], outer: [940, 520], screen: [960, 540], scale: 2 }],
    ['Safari zoomed to 125 %', { inner: [1382, 768], outer: [1728, 1050], scale: 2, engine: 'WebKit' }],
    ['Safari zoomed to 300 %', { inner: [576, 320], outer: [1728, 1050], scale: 2, engine: 'WebKit' }],
    [
      "an Android tablet's page for desktops",
      { inner: [980, 1846], outer: [412, 777], screen: [412, 915], scale: 2.625 },
    ],
    [
      'Brave zoomed to 80 %, which makes up its window and screen',
      { inner: [2400, 1181], outer: [2404, 1186], screen: [1937, 1190], scale: 0.8 },
    ],
    [
      'Vivaldi zoomed to 95 % by its slider on a screen of double density',
      { inner: [1617, 784], outer: [1536, 824], screen: [1536, 864], scale: 1.9 },
    ],
    ['a monitor of 125 % and a page of 80 %', { inner: [1171, 1141], outer: [945, 1060] }],
    ['tools docked at the right', { inner: [1118, 937], outer: [1936, 1056] }],
    ['tools docked at the bottom', { inner: [1920, 437], outer: [1936, 1056] }],
    ['a side bar', { inner: [1500, 937], outer: [1936, 1056] }],
    ['two pages side by side', { inner: [950, 937], outer: [1936, 1056] }],
    ['a window over two monitors', { inner: [3820, 900], outer: [3836, 1030] }],
    [
      'a phone emulated in open DevTools',
      { inner: [390, 844], outer: [1288, 900], screen: [390, 844], attached: true },
    ],
    ['Firefox that resists fingerprinting', { inner: [1600, 900], outer: [1600, 900], screen: [1600, 900] }],
    ['a framed page', { inner: [300, 250], outer: [1936, 1056], nested: true }],
    ['a phone', { inner: [980, 1743], outer: [412, 732], screen: [412, 915], device: 'mobile' }],
    ['a window that is not shown', { inner: [800, 600], outer: [0, 0] }],
  ])('%s', (_, sizes) => {
    expect(windowIndicators(visit(sizes))).toEqual([])
  })
})

test.each([1.05, 1.1, 1.15, 1.2, 1.3, 4 / 3, 1.35, 1.45, 1.6, 5 / 3, 16 / 9, 1.85, 2.2, 2.667])(
  'a maximised window on a monitor of any scale: %s',
  (scale) => {
    const [width, height] = [Math.round(2560 / scale), Math.round(1440 / scale)]
    const sizes = { inner: [width, height - 125], outer: [width, height - 40], screen: [width, height] }
    expect(windowIndicators(visit({ ...(sizes as Sizes), scale }))).toEqual([])
  },
)

test('a side bar and docked tools at once are a weak indicator', () => {
  expect(windowIndicators(visit({ inner: [1511, 437], outer: [1936, 1056] }))).toMatchObject([
    { name: 'page_misfit', points: 5 },
  ])
})

test.each<[string, number, Sizes]>([
  ['page_misfit', 20, { inner: [800, 600], outer: [945, 1060], attached: true }],
  ['page_misfit', 20, { inner: [1280, 720], outer: [800, 600] }],
  ['page_over_window', 20, { inner: [1280, 720], outer: [1260, 820] }],
  ['page_over_window', 20, { inner: [800, 600], outer: [780, 580], screen: [800, 601] }],
  ['page_over_window', 20, { inner: [1600, 900], outer: [1600, 860], screen: [1600, 900] }],
  ['window_over_screen', 25, { inner: [1280, 720], outer: [1288, 805], screen: [1280, 720] }],
  ['window_over_screen', 25, { inner: [1440, 813], outer: [1440, 900], screen: [800, 600] }],
])('sizes that only automation has: %s', (name, points, sizes) => {
  expect(windowIndicators(visit(sizes))).toMatchObject([{ name, points, group: 'window' }])
})

test('a screen of the size of the page is no device in DevTools where the reader of the console debugs nothing', () => {
  const sizes = visit({ inner: [390, 844], outer: [1288, 900], screen: [390, 844] })
  const others = { inspector: value({ attached: true, handler_share: 0.02 }) }
  expect(windowIndicators({ ...sizes, readings: { ...sizes.readings, ...others } })).toMatchObject([
    { name: 'window_over_screen' },
  ])
})

test('missing sizes give no indicator', () => {
  expect(windowIndicators(identified())).toEqual([])
})
