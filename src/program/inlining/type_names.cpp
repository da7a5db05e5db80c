#include "inlining/type_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <dwarf.h>

namespace callcost::program {

namespace {

constexpr int max_types = 32;  // in each other

/// g++ writes debug information in its own words.
std::string_view basic_type_name(std::string_view name) {
    using Name = std::pair<std::string_view, std::string_view>;
    constexpr std::array known = {
        Name{"long unsigned int", "unsigned long"},           Name{"long int", "long"},
        Name{"short unsigned int", "unsigned short"},         Name{"short int", "short"},
        Name{"long long unsigned int", "unsigned long long"}, Name{"long long int", "long long"},
        Name{"__int128 unsigned", "unsigned __int128"}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Name& one) { return one.first == name; });
    return found == known.end() ? name : found->second;
}

std::string class_name(std::string name) {
    using Name = std::pair<std::string_view, std::string_view>;
    constexpr std::array known = {
        Name{"std::basic_ostream<char, std::char_traits<char> >", "std::ostream"},
        Name{"std::basic_istream<char, std::char_traits<char> >", "std::istream"},
        Name{"std::basic_iostream<char, std::char_traits<char> >", "std::iostream"}};
    for (const auto& [whole, brief] : known)
        if (name == whole) return std::string(brief);
    return name;
}

class TypeWriter {
  public:
    explicit TypeWriter(const NameOfType& name) : name_(name) {}

    /// What an entry says its type is; void if it says none.
    std::string type_of(Dwarf_Die& entry, int depth) {
        Dwarf_Die type;
        if (!find_type(entry, type)) return "void";
        const auto tag = ::dwarf_tag(&type);
        if (depth > max_types || has_failed_) return fail();
        switch (tag) {
            case DW_TAG_base_type:
            case DW_TAG_unspecified_type:
                return std::string(basic_type_name(own_name(type)));
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type:
            case DW_TAG_enumeration_type: {
                auto name = name_(type);
                return name.empty() ? fail() : class_name(std::move(name));
            }
            case DW_TAG_typedef:
                return type_of(type, depth + 1);
            case DW_TAG_const_type:
                return type_of(type, depth + 1) + " const";
            case DW_TAG_volatile_type:
                return type_of(type, depth + 1) + " volatile";
            case DW_TAG_pointer_type:
            case DW_TAG_reference_type:
            case DW_TAG_rvalue_reference_type:
                return indirect(type,
                                tag == DW_TAG_pointer_type     ? "*"
                                : tag == DW_TAG_reference_type ? "&"
                                                               : "&&",
                                depth + 1);
            default:
                return fail();
        }
    }

    /// "<int, char*>"; fails if it is no template.
    std::string arguments_of(Dwarf_Die& function) {
        std::string list = "<";
        Dwarf_Die argument;
        for (int state = ::dwarf_child(&function, &argument); state == 0;
             state = ::dwarf_siblingof(&argument, &argument)) {
            const auto tag = ::dwarf_tag(&argument);
            if (tag == DW_TAG_template_type_parameter) {
                list += (list.size() > 1 ? ", " : "") + type_of(argument, 0);
            } else if (tag == DW_TAG_template_value_parameter || tag == DW_TAG_GNU_template_parameter_pack ||
                       tag == DW_TAG_GNU_template_template_param) {
                return fail();
            }
        }
        if (list.size() == 1) return fail();
        return list + (list.ends_with('>') ? " >" : ">");
    }

    std::string list_of(Dwarf_Die& function, int depth, bool is_template = false) {
        std::string list = "(";
        bool is_const = false;
        Dwarf_Die parameter;
        for (int state = ::dwarf_child(&function, &parameter); state == 0;
             state = ::dwarf_siblingof(&parameter, &parameter)) {
            const auto tag = ::dwarf_tag(&parameter);
            if (!is_template &&
                (tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter))
                return fail();
            if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) continue;
            Dwarf_Attribute artificial;
            if (::dwarf_attr_integrate(&parameter, DW_AT_artificial, &artificial) != nullptr) {
                is_const = points_to_const(parameter);
                continue;
            }
            list += list.size() > 1 ? ", " : "";
            list += tag == DW_TAG_formal_parameter ? parameter_type(parameter, depth) : "...";
        }
        return list + (is_const ? ") const" : ")");
    }

    [[nodiscard]] bool has_failed() const { return has_failed_; }

  private:
    std::string fail() {
        has_failed_ = true;
        return {};
    }

    static bool find_type(Dwarf_Die& entry, Dwarf_Die& type) {
        Dwarf_Attribute reference;
        return ::dwarf_attr_integrate(&entry, DW_AT_type, &reference) != nullptr &&
               ::dwarf_formref_die(&reference, &type) != nullptr;
    }

    static bool points_to_const(Dwarf_Die& parameter) {
        Dwarf_Die type;
        if (!find_type(parameter, type)) return false;
        if (::dwarf_tag(&type) == DW_TAG_const_type && !find_type(type, type)) return false;
        return ::dwarf_tag(&type) == DW_TAG_pointer_type && find_type(type, type) &&
               ::dwarf_tag(&type) == DW_TAG_const_type;
    }

    static std::string_view own_name(Dwarf_Die& die) {
        const char* const name = ::dwarf_diename(&die);
        return name == nullptr ? std::string_view() : name;
    }

    /// Whether the parameter itself can be changed is of no interest to a caller.
    std::string parameter_type(Dwarf_Die& parameter, int depth) {
        auto text = type_of(parameter, depth);
        for (const std::string_view end : {" const", " volatile"})
            if (text.ends_with(end)) text.resize(text.size() - end.size());
        return text;
    }

    std::string indirect(Dwarf_Die& type, const std::string& sign, int depth) {
        Dwarf_Die target;
        if (!find_type(type, target) || ::dwarf_tag(&target) != DW_TAG_subroutine_type)
            return type_of(type, depth) + sign;
        return type_of(target, depth) + " (" + sign + ")" + list_of(target, depth);
    }

    const NameOfType& name_;
    bool has_failed_ = false;
};

}  // namespace

std::optional<std::string> parameter_list(Dwarf_Die& function, const NameOfType& name) {
    TypeWriter writer(name);
    auto list = writer.list_of(function, 0);
    return writer.has_failed() ? std::nullopt : std::optional(std::move(list));
}

std::optional<std::string> template_function(Dwarf_Die& function, const std::string& scopes,
                                             std::string_view name, bool has_result,
                                             const NameOfType& name_of_type) {
    const auto brackets = name.find('<');
    if (brackets == std::string_view::npos || name.starts_with("operator")) return std::nullopt;
    TypeWriter writer(name_of_type);
    auto whole = has_result ? writer.type_of(function, 0) + ' ' : std::string();
    whole += scopes;
    whole += name.substr(0, brackets);
    whole += writer.arguments_of(function);
    whole += writer.list_of(function, 0, true);
    return writer.has_failed() ? std::nullopt : std::optional(std::move(whole));
}

}  // namespace callcost::program
