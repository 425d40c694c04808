// Light or dark: as the system has it, unless the reader chose. The choice is kept where the browser lets a file keep something.

const THEMES = ["system", "light", "dark"];
const THEME_KEY = "ptxasw-report-theme";

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function storeTheme(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // A page from a file, or without storage: the choice ends with the page.
  }
}

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = `Theme: ${theme === "system" ? "as the system" : theme}`;
}

function startTheme() {
  const stored = storedTheme();
  useTheme(THEMES.includes(stored) ? stored : "system");
  document.getElementById("theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    useTheme(next);
    storeTheme(next);
  });
}
