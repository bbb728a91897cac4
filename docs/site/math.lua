-- math.lua -- the mathematics of the texts is typed plainly: n^2 d^2 / M, sqrt(M), >=.  Here it is set: powers raised, variables slanted.
local sign = { [">="] = "≥", ["<="] = "≤", ["->"] = "→", ["!="] = "≠", ["+="] = "+=" }

local display = false -- inside a displayed formula, where every letter is a variable, and "mnk", without a vowel, is three

-- dV is a variable too
local function is_word(letters) return #letters > 1 and not letters:match("^d%u$") and (not display or #letters > 3 or letters:match("[^b-df-hj-np-tv-xz]")) end
local function has_words(s)
  for letters in s:gmatch("%a+") do if is_word(letters) then return true end end
end

-- Letters that stand alone are variables; in a text A, a and I only beside a sign, for they are words as well.
local function is_variable(s, before, after)
  if not s:match("^%a+$") or is_word(s) then return false end
  if display or not s:match("[AaI]") then return true end
  local near = function(x) return x and (sign[x] or x:match("^[=+*/<>|]$")) end
  return near(before) or near(after) or (after and after:match("^%u$") and after ~= "I")
end

local function add(out, s)
  if s == "" then return end
  if s:match("^%a$") then out:insert(pandoc.Emph(pandoc.Str(s))) else out:insert(pandoc.Str(s)) end
end

-- "2d", "Z(i,", "X/4d", "K_j": no words in it, so its letters are variables.
local function letters(s)
  if has_words(s) or not s:find("%a") or s:find("%u%d%d") or s:find("I/O") or s:match("^[%(]?[AaI][%.,;:%)]*$") then return nil end
  local out = pandoc.List()
  while s ~= "" do
    local base, index, rest = s:match("^(d?%a)_(%w+)(.*)$")
    if base then
      out:insert(pandoc.Emph(pandoc.Str(base)))
      out:insert(pandoc.Subscript(pandoc.Str(index)))
    else
      base, rest = s:match("^(%a)(.*)$")
      if base then out:insert(pandoc.Emph(pandoc.Str(base))) else
        base, rest = s:match("^([^%a]+)(.*)$")
        out:insert(pandoc.Str(base))
      end
    end
    s = rest
  end
  return out
end
-- "2n^2/sqrt(M)" and its like: pieces with raised exponents.
local function powers(s)
  local out = pandoc.List()
  while true do
    local from, to, exponent = s:find("%^(%b())")
    local from2, to2, exponent2 = s:find("%^(%-?%w+)")
    if not from or (from2 and from2 < from) then from, to, exponent = from2, to2, exponent2 end
    if not from then break end
    local base, letter = s:sub(1, from - 1):match("^(.-)(%a?)$")
    if base:match("%a$") then base, letter = base .. letter, "" end
    if base ~= "" then out:extend(letters(base) or { pandoc.Str(base) }) end
    add(out, letter)
    out:insert(pandoc.Superscript(pandoc.Str((exponent:gsub("^%((.*)%)$", "%1")))))
    s = s:sub(to + 1)
  end
  add(out, s)
  return out
end

local function is_factor(s) return s and (s:match("^%a%a?$") or s:match("^%d+$") or s:match("^%a[%.,;:%)]+$")) end

function Inlines(list)
  local out, words = pandoc.List(), {}
  for _, x in ipairs(list) do if x.t == "Str" then words[#words + 1] = x.text end end
  local k = 0
  for _, x in ipairs(list) do
    if x.t ~= "Str" then out:insert(x)
    else
      k = k + 1
      local s = x.text:gsub("sqrt%(", "√("):gsub("√%((%w)%)", "√%1")
      local open, core, close = s:match("^(%(?)(.-)([%.,;:%)]*)$")
      if s == "x" and is_factor(words[k - 1]) and is_factor(words[k + 1]) then out:insert(pandoc.Str("×"))
      elseif sign[s] then out:insert(pandoc.Str(sign[s]))
      elseif is_variable(core, words[k - 1], words[k + 1]) then
        if open ~= "" then out:insert(pandoc.Str(open)) end
        out:insert(pandoc.Emph(pandoc.Str(core)))
        if close ~= "" then out:insert(pandoc.Str(close)) end
      elseif s:match("%^") and not s:match("[`\\]") then out:extend(powers(s))
      elseif letters(s) then out:extend(letters(s))
      else out:insert(pandoc.Str(s)) end
    end
  end
  return out
end
-- A short listing whose lines are formulas is a display.
local function CodeBlock(block)
  if block.classes:includes("listing") then return nil end
  local lines = pandoc.List()
  for line in (block.text .. "\n"):gmatch("(.-)\n") do
    if line ~= "" and not line:match("[=≤≥<>]") then return nil end
    local words = pandoc.List()
    for word, space in line:gmatch("(%S+)(%s*)") do
      words:insert(pandoc.Str(word == "-" and "−" or word))
      words:insert(#space > 1 and pandoc.Str("\u{2003}\u{2003}") or pandoc.Space())
    end
    display = true
    lines:insert(Inlines(words))
    display = false
  end
  if #lines > 4 then return nil end
  return pandoc.Div(pandoc.List(lines):map(function(l) return pandoc.Para(l) end), pandoc.Attr("", { "formula" }))
end
return { { Inlines = Inlines }, { CodeBlock = CodeBlock } }
