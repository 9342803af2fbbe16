import { expect, test } from 'vitest'
import { crawlerName } from './known-crawlers.ts'

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'GoogleBot'],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', 'GoogleBot'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'BingBot'],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot'],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', 'BaiduSpider'],
  ['DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)', 'DuckDuckBot'],
  ['Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)', 'YahooBot'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    'GPTBot',
  ],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'FacebookBot'],
  ['Mozilla/5.0 (compatible; ExampleSeoBot/2.0; +https://example.com/bot)', 'ExampleSeoBot'],
])('%s claims to be %s', (userAgent, name) => {
  expect(crawlerName(userAgent)).toBe(name)
})

test.each([
  '',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'Fetcher/1.0 (+https://example.com/bot.html)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT X18 Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
])('%j does not claim to be a crawler', (userAgent) => {
  expect(crawlerName(userAgent)).toBeUndefined()
})
