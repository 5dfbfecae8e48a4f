import { testStories } from './play-stories.ts';

// A window of today.
testStories({ columns: 120, rows: 40 });
