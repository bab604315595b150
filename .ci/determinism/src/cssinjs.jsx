// Styles that are made at run time, by two libraries, with animations and transitions.
/** @jsx jsx */
import { jsx, css, keyframes as kf } from '@emotion/react';
import emo from '@emotion/styled';
import styled, { keyframes } from 'styled-components';
import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
const spin = kf`to{rotate:360deg}`, pulse = keyframes`50%{opacity:.3;scale:1.3}`;
const Card = emo.div`padding:8px;margin:6px;border-radius:8px;transition:all .9s ease;background:hsl(${p => p.h} 60% 70%);width:${p => p.w}px;&:hover{translate:40px 0}`;
const Dot = styled.span`display:inline-block;width:16px;height:16px;border-radius:50%;background:${p => p.$c};animation:${pulse} 1.7s infinite`;
function App() {
  const [n, setN] = useState(3), [h, setH] = useState(20);
  return <div><button id="more" onClick={() => setN(n + 1)}>more</button><button id="hue" onClick={() => setH(Math.floor(Math.random() * 360))}>hue</button>
    <div css={css`width:24px;height:24px;border:4px solid #ccc;border-top-color:#000;border-radius:50%;animation:${spin} .9s linear infinite`} />
    {Array.from({ length: n }, (_, i) => <Card key={i} id={'c' + i} h={h + i * 30} w={200 + i * 20}>card {i} <Dot $c={i % 2 ? '#090' : '#900'} /></Card>)}</div>;
}
createRoot(document.getElementById('root')).render(<App />);
