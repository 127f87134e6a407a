import { chromium } from '@playwright/test';
const base='http://127.0.0.1:9444';
const out='/tmp/boards-shots'; 
import { mkdirSync } from 'node:fs'; mkdirSync(out,{recursive:true});
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu']});
const sign=await (await fetch(base+'/api/auth/sign-in',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email:'owner@example.com',password:'dispatch-demo'})})).json();
const auth={authorization:`Bearer ${sign.result.idToken}`,'content-type':'application/json'};
const only=process.argv[2]?.split(',');
const sizes=(process.argv[3]??'1920x1080,3840x2160,1080x1920').split(',').map(s=>s.split('x').map(Number));
const themes=(process.argv[4]??'dark,light').split(',');
for (const layout of only??['shop-floor','queue','used-pdi','lounge']) for (const theme of themes) {
  const link=await (await fetch(base+'/api/boards/links',{method:'POST',headers:auth,body:JSON.stringify({name:`Shot ${layout} ${theme}`,layout,settings:{theme,dimFrom:null,dimUntil:null,pageSeconds:120}})})).json();
  const ctx=await b.newContext({viewport:{width:1920,height:1080},locale:process.argv[5]??'en-US'});
  const p=await ctx.newPage();
  await p.goto(base+link.result.url);
  await p.locator('[data-key]').first().waitFor();
  for (const [width,height] of sizes) {
    await p.setViewportSize({width,height}); await p.waitForTimeout(1500);
    await p.screenshot({path:`${out}/${layout}-${theme}-${width}x${height}.png`});
    console.log(layout,theme,width,height, await p.locator('[data-key]').count(), await p.locator('.page').allTextContents());
  }
  await ctx.close();
}
await b.close();
