import { describe, expect, test } from 'vitest'
import type { ClientFacts, ClientFactsInput } from './client-facts.ts'
import { clientFacts } from './client-facts.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)'
const GALAXY = 'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

/** system | browser | major version | device | user agent */
const CLIENTS = `
Windows | Chrome | 140 | desktop | ${WINDOWS} ${BLINK} Chrome/140.0.0.0 Safari/537.36
Windows | Microsoft Edge | 140 | desktop | ${WINDOWS} ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0
Windows | Opera | 122 | desktop | ${WINDOWS} ${BLINK} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0
Windows | Vivaldi | 7 | desktop | ${WINDOWS} ${BLINK} Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5.3735.66
Windows | Yandex Browser | 25 | desktop | ${WINDOWS} ${BLINK} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36
Windows | Firefox | 143 | desktop | Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0
Windows | Firefox | 115 | desktop | Mozilla/5.0 (Windows NT 6.1; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0
Windows | Internet Explorer | 11 | desktop | Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko
Mac OS X | Safari | 18 | desktop | ${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15
Mac OS X | Chrome | 140 | desktop | ${MAC} ${BLINK} Chrome/140.0.0.0 Safari/537.36
Mac OS X | Microsoft Edge | 140 | desktop | ${MAC} ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0
Mac OS X | Firefox | 143 | desktop | Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0
Mac OS X | DuckDuckGo | 18 | desktop | ${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15 Ddg/18.6
Linux | Chrome | 140 | desktop | ${LINUX} ${BLINK} Chrome/140.0.0.0 Safari/537.36
Linux | Chrome | 140 | desktop | ${LINUX} ${BLINK} HeadlessChrome/140.0.0.0 Safari/537.36
Linux | Firefox | 143 | desktop | Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
Linux | Firefox | 143 | desktop | Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
Linux | Firefox | 143 | desktop | Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
Linux | Firefox | 128 | desktop | Mozilla/5.0 (X11; Debian; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
Linux | Firefox | 143 | desktop | Mozilla/5.0 (X11; Arch Linux; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
Linux | Firefox | 140 | desktop | Mozilla/5.0 (X11; Linux x86_64; Mint; rv:140.0) Gecko/20100101 Firefox/140.0
Linux | Epiphany | 605 | desktop | ${LINUX} ${WEBKIT} Version/17.0 Safari/605.1.15 Epiphany/605.1.15
FreeBSD | Firefox | 143 | desktop | Mozilla/5.0 (X11; FreeBSD amd64; rv:143.0) Gecko/20100101 Firefox/143.0
ChromeOS | Chrome | 140 | desktop | Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/140.0.0.0 Safari/537.36
IOS (iPhone) | Safari (iOS) | 26 | mobile | ${IPHONE} ${WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1
IOS (iPad) | Safari (iOS) | 17 | tablet | ${IPAD} ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1
IOS (iPhone) | Safari (iOS) | 15 | mobile | Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) ${WEBKIT} Version/15.6 Mobile/15E148 Safari/604.1
IOS (iPhone) | Chrome (iOS) | 140 | mobile | ${IPHONE} ${WEBKIT} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1
IOS (iPad) | Chrome (iOS) | 140 | tablet | ${IPAD} ${WEBKIT} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1
IOS (iPhone) | Firefox (iOS) | 143 | mobile | ${IPHONE} ${WEBKIT} FxiOS/143.0 Mobile/15E148 Safari/605.1.15
IOS (iPhone) | Microsoft Edge (iOS) | 140 | mobile | ${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/140.0.3485.54 Mobile/15E148 Safari/605.1.15
IOS (iPhone) | Opera (iOS) | 5 | mobile | ${IPHONE} ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1 OPT/5.6.1
IOS (iPhone) | DuckDuckGo (iOS) | 7 | mobile | ${IPHONE} ${WEBKIT} Version/18.6 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15
IOS (iPhone) | Yandex Browser (iOS) | 25 | mobile | ${IPHONE} ${WEBKIT} Version/18.0 YaBrowser/25.8.0.0 Mobile/15E148 Safari/604.1
IOS (iPhone) | Google App (iOS) | 380 | mobile | ${IPHONE} ${WEBKIT} GSA/380.0.7 Mobile/15E148 Safari/604.1
IOS (iPhone) | WebView (iOS) | 605 | mobile | ${IPHONE} ${WEBKIT} Mobile/15E148
IOS (iPhone) | Instagram | 398 | mobile | ${IPHONE} ${WEBKIT} Mobile/15E148 Instagram 398.0.0.27.80 (iPhone14,5; iOS 18_6; en_US; en; scale=3.00; 1170x2532; 797000000)
IOS (iPhone) | Facebook | 530 | mobile | ${IPHONE} ${WEBKIT} Mobile/22G86 [FBAN/FBIOS;FBAV/530.0.0.41.76;FBBV/798;FBDV/iPhone15,3;FBMD/iPhone;FBSN/iOS;FBSV/18.6]
Android | Chrome | 140 | mobile | ${ANDROID} ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36
Android | Chrome | 140 | tablet | ${ANDROID} ${BLINK} Chrome/140.0.0.0 Safari/537.36
Android | Samsung Internet | 28 | mobile | ${ANDROID} ${BLINK} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36
Android | Microsoft Edge | 140 | mobile | ${ANDROID} ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0
Android | Opera | 91 | mobile | ${ANDROID} ${BLINK} Chrome/138.0.0.0 Mobile Safari/537.36 OPR/91.0.0.0
Android | Opera Mini | 76 | mobile | Opera/9.80 (Android; Opera Mini/76.0.2254/191.303; U; en) Presto/2.12.423 Version/12.16
Android | Firefox | 143 | mobile | Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0
Android | Firefox | 143 | tablet | Mozilla/5.0 (Android 14; Tablet; rv:143.0) Gecko/143.0 Firefox/143.0
Android | Chrome WebView | 140 | mobile | ${GALAXY} ${BLINK} Version/4.0 Chrome/140.0.7339.51 Mobile Safari/537.36
Android | Facebook | 530 | mobile | ${GALAXY} ${BLINK} Version/4.0 Chrome/140.0.7339.51 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.48.75;]
Android | Instagram | 398 | mobile | ${GALAXY} ${BLINK} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 Instagram 398.0.0.30.79 Android
Android | WeChat | 8 | mobile | ${GALAXY} ${BLINK} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.60
Android | DuckDuckGo | 5 | mobile | ${ANDROID} ${BLINK} Chrome/140.0.0.0 Mobile DuckDuckGo/5 Safari/537.36
Android | Amazon Silk | 130 | tablet | Mozilla/5.0 (Linux; Android 13; KFTRWI) ${BLINK} Silk/130.3.1 like Chrome/130.0.0.0 Safari/537.36
Android | MIUI Browser | 14 | mobile | Mozilla/5.0 (Linux; U; Android 13; en-us; 2201117TG Build/TKQ1) ${BLINK} Version/4.0 Chrome/112.0.0.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.20.0-gn
Android | Huawei Browser | 15 | mobile | Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13) ${BLINK} Chrome/114.0.0.0 HuaweiBrowser/15.0.4.312 Mobile Safari/537.36
Android | UC Browser | 13 | mobile | Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3231) ${BLINK} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.0.1320 Mobile Safari/537.36
HarmonyOS | Huawei Browser | 5 | mobile | Mozilla/5.0 (Phone; OpenHarmony 5.0) ${BLINK} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300
KaiOS | Firefox | 48 | mobile | Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5
Linux | Opera | 46 | unknown | Mozilla/5.0 (Linux armv7l) ${BLINK} Chrome/59.0.3071.125 Safari/537.36 OPR/46.0.2207.0 OMI/4.11.2.64.Alan4.2 Model/Vestel-MB211
Linux | Chrome | 108 | unknown | Mozilla/5.0 (Linux; U; Linux; ko; HbbTV/1.5.1) ${BLINK} Chrome/108.0.5359.211 Safari/537.36 VIDAA/7.0
webOS | Chrome | 108 | unknown | Mozilla/5.0 (Web0S; Linux/SmartTV) ${BLINK} Chrome/108.0.5359.211 Safari/537.36
PlayStation | Safari | 15 | unknown | Mozilla/5.0 (PlayStation; PlayStation 5/9.00) ${WEBKIT} Version/15.4 Safari/605.1.15
Unknown | Unknown | - | unknown | Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
Unknown | Unknown | - | unknown | curl/8.5.0
`

const rows = CLIENTS.trim()
  .split('\n')
  .map((line) => {
    const [os = '', browser = '', major = '', device = '', ...userAgent] = line.split(' | ')
    return [os, browser, major, device, userAgent.join(' | ')] as const
  })

describe('the user agent alone', () => {
  test.each(rows)('is %s, %s %s, %s: %s', (os, browser, major, deviceType, userAgent) => {
    expect(clientFacts({ userAgent })).toMatchObject({
      os,
      browser,
      browserMajor: major === '-' ? undefined : Number(major),
      deviceType,
    })
  })
})

const CHROME_WINDOWS = `${WINDOWS} ${BLINK} Chrome/140.0.0.0 Safari/537.36`
const brands = (...names: [brand: string, version: string][]) =>
  [['Not=A?Brand', '24.0.0.0'], ['Chromium', '140.0.7339.51'], ...names].map(
    ([brand = '', version = '']) => ({
      brand,
      version,
    }),
  )

describe('hints and touch points', () => {
  const refined: [promise: string, input: ClientFactsInput, expected: Partial<ClientFacts>][] = [
    [
      'an iPad that asks for desktop pages has a touch screen, which no Mac has',
      { userAgent: `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`, maxTouchPoints: 5 },
      { os: 'IOS (iPad)', osVersion: '', browser: 'Safari (iOS)', deviceType: 'tablet' },
    ],
    [
      'a Mac has no touch screen',
      { userAgent: `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`, maxTouchPoints: 0, platform: 'MacIntel' },
      { os: 'Mac OS X', osVersion: '10.15.7', browser: 'Safari', deviceType: 'desktop' },
    ],
    [
      'Chrome of the iPad in desktop mode still says CriOS',
      { userAgent: `${MAC} ${WEBKIT} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1` },
      { os: 'IOS (iPad)', browser: 'Chrome (iOS)', deviceType: 'tablet' },
    ],
    [
      'an iPhone that asks for desktop pages keeps its platform',
      { userAgent: `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`, maxTouchPoints: 5, platform: 'iPhone' },
      { os: 'IOS (iPhone)', browser: 'Safari (iOS)', deviceType: 'mobile' },
    ],
    [
      'Chrome on a Mac with simulated touch stays a Mac',
      { userAgent: `${MAC} ${BLINK} Chrome/140.0.0.0 Safari/537.36`, maxTouchPoints: 5 },
      { os: 'Mac OS X', browser: 'Chrome', deviceType: 'desktop' },
    ],
    [
      'Brave shows in its brands, with the exact version',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: {
          brands: brands(['Brave', '140']),
          mobile: false,
          platform: 'Windows',
          full_version_list: brands(['Brave', '140.0.7339.80']),
        },
      },
      { browser: 'Brave', browserVersion: '140.0.7339.80', browserMajor: 140 },
    ],
    [
      'Windows 11 shows in the platform version',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: {
          brands: brands(['Google Chrome', '140']),
          mobile: false,
          platform: 'Windows',
          platform_version: '15.0.0',
        },
      },
      { os: 'Windows', osVersion: '11', browser: 'Chrome' },
    ],
    [
      'Windows 10 is below 13',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: { brands: [], mobile: false, platform: 'Windows', platform_version: '10.0.0' },
      },
      { os: 'Windows', osVersion: '10' },
    ],
    [
      'the real version of Android shows in the platform version',
      {
        userAgent: `${ANDROID} ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`,
        clientHints: { brands: [], mobile: true, platform: 'Android', platform_version: '15.0.0' },
      },
      { os: 'Android', osVersion: '15.0.0', deviceType: 'mobile' },
    ],
    [
      'hints of another system change nothing: the user agent leads',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: { brands: [], mobile: false, platform: 'macOS', platform_version: '14.5.0' },
      },
      { os: 'Windows', osVersion: '10' },
    ],
    [
      'hints of another browser do not rename one that names itself',
      {
        userAgent: `${CHROME_WINDOWS} Edg/140.0.0.0`,
        clientHints: { brands: brands(['Opera', '122']), mobile: false, platform: 'Windows' },
      },
      { browser: 'Microsoft Edge', browserVersion: '140.0.0.0' },
    ],
    [
      'a browser we do not know by its brand stays Chrome; its text is not shown',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: { brands: brands(['<img src=x>', '1']), mobile: false, platform: 'Windows' },
      },
      { browser: 'Chrome', browserVersion: '140.0.0.0' },
    ],
    [
      'a version that is no version is not shown',
      {
        userAgent: CHROME_WINDOWS,
        clientHints: {
          brands: brands(['Brave', '<b>']),
          mobile: false,
          platform: 'Windows',
          platform_version: 'x',
        },
      },
      { browser: 'Brave', browserVersion: '140.0.0.0', osVersion: '10' },
    ],
  ]
  test.each(refined)('%s', (_, input, expected) => {
    expect(clientFacts(input)).toMatchObject(expected)
  })
})

test.each([
  ['Blink', `Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${BLINK} 108.0.5359.1/8.0 TV Safari/537.36`],
  ['Blink', `${IPHONE} ${BLINK} CriOS/156.0 Mobile/15E148 Safari/537.36`],
  ['WebKit', `${IPHONE} ${WEBKIT} CriOS/156.0 Mobile/15E148 Safari/604.1`],
  ['Blink', CHROME_WINDOWS],
])('the engine of a browser that does not name it is %s by its number of WebKit: %s', (engine, userAgent) => {
  expect(clientFacts({ userAgent }).engine).toBe(engine)
})

describe('hostile input', () => {
  test('everything is unknown without a user agent', () => {
    expect(clientFacts({ userAgent: '' })).toEqual({
      os: 'Unknown',
      osVersion: '',
      browser: 'Unknown',
      browserVersion: '',
      browserMajor: undefined,
      engine: '',
      deviceType: 'unknown',
      bot: undefined,
    })
  })

  test('only 512 characters of a user agent are parsed', () => {
    const padded = `${CHROME_WINDOWS}${' '.repeat(600)}Edg/140.0.0.0`
    expect(clientFacts({ userAgent: padded }).browser).toBe('Chrome')
  })

  test('parsing stays fast whatever the user agent', () => {
    for (const piece of ['Mozilla/5.0 (', 'Android ', '; ', 'a/1 ', 'Chrome/', '((((', '[FBAN/']) {
      const userAgent = piece.repeat(10_000)
      const start = performance.now()
      clientFacts({ userAgent })
      expect(performance.now() - start).toBeLessThan(500)
    }
  })

  test('results are cached, so they are frozen', () => {
    const facts = clientFacts({ userAgent: CHROME_WINDOWS })
    expect(Object.isFrozen(facts)).toBe(true)
    expect(clientFacts({ userAgent: CHROME_WINDOWS })).toBe(facts)
  })
})
