import { createHash } from 'node:crypto';
import { ASSETS, findAsset } from './assets.js';

it('are served under the name with their hash, and under no other', () => {
  for (const asset of Object.values(ASSETS)) {
    expect(findAsset(asset.name)).toBe(asset);
    expect(asset.href).toBe(`/assets/${asset.name}`);
    expect(asset.name).toContain(createHash('sha256').update(asset.body).digest('hex').slice(0, 12));
  }
  expect(['style.css', 'style.000000000000.css', '../html.ts', '__proto__', ''].map(findAsset)).toEqual([null, null, null, null, null]);
});

it('stay below their size limits', () => {
  expect(ASSETS.style.body.length).toBeLessThanOrEqual(12_288);
  expect(ASSETS.enhance.body.length).toBeLessThanOrEqual(3_072);
  for (const { body } of [ASSETS.passkey, ASSETS.editorStyle, ASSETS.editorScript]) expect(body.length).toBeLessThanOrEqual(3_072);
  expect(ASSETS.mark.body.length).toBeLessThanOrEqual(1_024);
});

it('load nothing from other origins', () => {
  for (const { body } of [ASSETS.style, ASSETS.enhance, ASSETS.passkey, ASSETS.editorStyle, ASSETS.editorScript])
    expect(body.toString()).not.toMatch(/https?:|url\(|@import|@font-face/);
  expect(ASSETS.mark.body.toString().replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<style|style=|<script/);
});
