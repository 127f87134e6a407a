// The sound of a new assignment: two notes of an oscillator. A browser makes none before the page was tapped once.
import { createAtom, useSelector } from '@tanstack/react-store';

const STORAGE_KEY = 'dispatch.portal-sound';
const OFF = 'off';

export interface Sound {
  /** The choice stored on this device. */
  on: boolean;
  /** Nobody has chosen on this device yet. */
  isAsked: boolean;
  /** The page was tapped, so the browser allows sound. */
  unlocked: boolean;
}

let context: AudioContext | null = null;
const chosen = localStorage.getItem(STORAGE_KEY);
const sound = createAtom<Sound>({ on: chosen !== OFF, isAsked: chosen === null, unlocked: false });

export function chooseSound(on: boolean): void {
  localStorage.setItem(STORAGE_KEY, on ? 'on' : OFF);
  sound.set((before) => ({ ...before, on, isAsked: false }));
}

/** Must be called from a tap's event handler. */
export function unlockSound(): void {
  if (sound.get().unlocked || typeof AudioContext === 'undefined') return;
  context ??= newContext();
  context.resume().then(follow, () => undefined);
}

function newContext(): AudioContext {
  const made = new AudioContext();
  // A phone suspends the audio again, for a call for instance.
  made.onstatechange = follow;
  return made;
}

function follow(): void {
  const unlocked = context?.state === 'running';
  if (unlocked !== sound.get().unlocked) sound.set((before) => ({ ...before, unlocked }));
  // It sounds, so the next start need not ask either.
  if (unlocked && sound.get().isAsked) chooseSound(true);
}

/** Hz and s: a fourth upward, heard over an air wrench. */
const NOTES = [
  { frequency: 880, at: 0 },
  { frequency: 1174.66, at: 0.16 },
];
const NOTE_SECONDS = 0.5;
const LOUDNESS = 0.5;

export function chime(): void {
  if (!sound.get().on || context?.state !== 'running') return;
  for (const { frequency, at } of NOTES) {
    const begin = context.currentTime + at;
    const note = context.createOscillator();
    const loudness = context.createGain();
    note.type = 'triangle';
    note.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.0001, begin);
    loudness.gain.exponentialRampToValueAtTime(LOUDNESS, begin + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + NOTE_SECONDS);
    note.connect(loudness).connect(context.destination);
    note.start(begin);
    note.stop(begin + NOTE_SECONDS);
  }
}

export function useSound(): Sound {
  return useSelector(sound);
}
